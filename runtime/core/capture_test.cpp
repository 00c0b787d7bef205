#include "runtime/core/capture.hpp"

#include <gtest/gtest.h>

namespace apod::runtime {
namespace {

Stream stream(StreamKind kind) {
    Stream made;
    made.kind = kind;
    return made;
}

FillWork fill() { return {}; }

struct Two {
    Captures captures;
    Stream main = stream(StreamKind::blocking);
    Stream side = stream(StreamKind::non_blocking);
    Stream legacy = stream(StreamKind::legacy);
    Event event;
    std::unique_ptr<Graph> made;
    Graph* graph = nullptr;

    Two() { EXPECT_EQ(captures.begin(main, CaptureMode::global), Error::success); }
    Error end() { return captures.end(main, made, graph); }
};

} // namespace

TEST(Capture, WorkBecomesNodesInItsOrder) {
    Two t;
    EXPECT_EQ(t.captures.take(t.main, fill()), Error::success);
    EXPECT_EQ(t.captures.take(t.main, fill()), Error::success);
    EXPECT_EQ(t.end(), Error::success);
    ASSERT_NE(t.graph, nullptr);
    EXPECT_EQ(t.graph->nodes().size(), 2u);
    EXPECT_EQ(t.graph->edges().size(), 1u);
    EXPECT_FALSE(t.captures.any());
}

TEST(Capture, OtherStreamsRunAsEver) {
    Two t;
    EXPECT_EQ(t.captures.take(t.side, fill()), std::nullopt);
    EXPECT_EQ(t.captures.status(t.side), CaptureStatus::none);
}

TEST(Capture, AnEventCarriesItToAnotherStreamWhichMustJoin) {
    Two t;
    EXPECT_EQ(t.captures.take(t.main, fill()), Error::success);
    EXPECT_EQ(t.captures.take(t.main, RecordWork{&t.event}), Error::success);
    EXPECT_EQ(t.captures.take(t.side, WaitWork{&t.event}), Error::success);
    EXPECT_EQ(t.captures.status(t.side), CaptureStatus::active);
    EXPECT_EQ(t.captures.take(t.side, fill()), Error::success);
    EXPECT_EQ(t.captures.take(t.side, RecordWork{&t.event}), Error::success);
    EXPECT_EQ(t.captures.take(t.main, WaitWork{&t.event}), Error::success);
    EXPECT_EQ(t.end(), Error::success);
    EXPECT_EQ(t.captures.status(t.side), CaptureStatus::none);
}

TEST(Capture, AJoinedStreamMayGoBeforeTheEnd) {
    Two t;
    EXPECT_EQ(t.captures.take(t.main, RecordWork{&t.event}), Error::success);
    EXPECT_EQ(t.captures.take(t.side, WaitWork{&t.event}), Error::success);
    EXPECT_EQ(t.captures.take(t.side, fill()), Error::success);
    EXPECT_EQ(t.captures.take(t.side, RecordWork{&t.event}), Error::success);
    EXPECT_EQ(t.captures.take(t.main, WaitWork{&t.event}), Error::success);
    t.captures.forget(t.side);
    EXPECT_EQ(t.end(), Error::success);
}

TEST(Capture, WithoutTheJoinItFails) {
    Two t;
    EXPECT_EQ(t.captures.take(t.main, RecordWork{&t.event}), Error::success);
    EXPECT_EQ(t.captures.take(t.side, WaitWork{&t.event}), Error::success);
    EXPECT_EQ(t.captures.take(t.side, fill()), Error::success);
    EXPECT_EQ(t.end(), Error::stream_capture_unjoined);
    EXPECT_EQ(t.graph, nullptr);
}

TEST(Capture, WorkOfTheLegacyStreamMakesItInvalid) {
    Two t;
    EXPECT_EQ(t.captures.take(t.legacy, fill()), Error::stream_capture_implicit);
    EXPECT_EQ(t.captures.take(t.main, fill()), Error::stream_capture_invalidated);
    EXPECT_EQ(t.end(), Error::stream_capture_invalidated);
}

TEST(Capture, EventsOfOtherWorkAreRefused) {
    Two t;
    EXPECT_EQ(t.captures.take(t.main, WaitWork{&t.event}), Error::stream_capture_isolation);
    EXPECT_EQ(t.end(), Error::stream_capture_invalidated);
}

TEST(Capture, TwoCapturesDoNotMerge) {
    Two t;
    EXPECT_EQ(t.captures.begin(t.side, CaptureMode::global), Error::success);
    EXPECT_EQ(t.captures.take(t.side, RecordWork{&t.event}), Error::success);
    EXPECT_EQ(t.captures.take(t.main, WaitWork{&t.event}), Error::stream_capture_merge);
    EXPECT_EQ(t.captures.status(t.side), CaptureStatus::invalidated);
}

TEST(Capture, WaitingForItMakesItInvalid) {
    Two t;
    EXPECT_EQ(t.captures.wait_for(t.side), Error::success);
    EXPECT_EQ(t.captures.wait_for(t.main), Error::stream_capture_unsupported);
    EXPECT_EQ(t.end(), Error::stream_capture_invalidated);
}

TEST(Capture, UnsafeCallsDependOnTheModesOfCaptureAndThread) {
    Two t;
    thread_capture_mode() = CaptureMode::relaxed;
    EXPECT_EQ(t.captures.unsafe_call(), Error::success);
    thread_capture_mode() = CaptureMode::thread_local_;
    EXPECT_EQ(t.captures.unsafe_call(), Error::stream_capture_unsupported); // its own capture
    thread_capture_mode() = CaptureMode::global;
}

TEST(Capture, TheLegacyStreamAndTwiceAreRefused) {
    Two t;
    EXPECT_EQ(t.captures.begin(t.legacy, CaptureMode::global), Error::stream_capture_unsupported);
    EXPECT_EQ(t.captures.begin(t.main, CaptureMode::global), Error::illegal_state);
    std::unique_ptr<Graph> made;
    Graph* graph = nullptr;
    EXPECT_EQ(t.captures.end(t.side, made, graph), Error::illegal_state);
}

} // namespace apod::runtime
