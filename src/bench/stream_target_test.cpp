#include "bench/stream_target.hpp"

#include "bench/fake_gpu.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>

namespace apod::bench {
namespace {

using testing::FakeGpu;

std::unique_ptr<StreamTarget> make(FakeGpu& gpu, Work work, Caches caches = Caches::hot) {
    Result<std::unique_ptr<StreamTarget>> target = StreamTarget::make(gpu, "kernel", std::move(work), caches);
    EXPECT_TRUE(target);
    return *std::move(target);
}

bool says(const StreamTarget& target, const std::string& words) {
    for (const std::string& note : target.notes())
        if (note.find(words) != std::string::npos) return true;
    return false;
}

} // namespace

TEST(StreamTarget, TheHostsPaceIsInNoSample) {
    FakeGpu gpu; // 3 us for the host to queue what takes the GPU 2 us
    const auto target = make(gpu, gpu.kernel(2000));
    ASSERT_TRUE(target->first_run());
    ASSERT_TRUE(target->sample(1)); // as warming up does: it shows that the work can be held back
    const Result<Sample> sample = target->sample(100);
    ASSERT_TRUE(sample);
    EXPECT_TRUE(sample->held_back);
    EXPECT_EQ(sample->runs, 100U);
    EXPECT_NEAR(sample->time_ns, 2200, 1); // and 0.2 us from one to the next within a graph
    EXPECT_TRUE(target->notes().empty());
}

TEST(StreamTarget, ShortWorkIsSampledInManyStatesOfTheCache) {
    FakeGpu gpu;
    gpu.state.state_ns = 10;
    const auto target = make(gpu, gpu.kernel(2000));
    ASSERT_TRUE(target->sample(1));
    std::set<long> seen;
    for (int i = 0; i < 7 * 4; ++i) seen.insert(std::lround(target->sample(100)->time_ns / 10));
    EXPECT_EQ(gpu.state.stirred, 7);
    EXPECT_EQ(seen, (std::set<long>{220, 221, 222, 223, 224, 225, 226})); // in each sample one state: no part saw another one
}

TEST(StreamTarget, WhatEventsAndALaunchCostIsTakenOff) {
    FakeGpu gpu;
    const auto target = make(gpu, gpu.kernel(50e3));
    EXPECT_NEAR(target->stopwatch().event_pair_ns(), 300, 1);
    EXPECT_NEAR(target->stopwatch().launch_ns(), 500, 1);
    EXPECT_NEAR(target->sample(1)->time_ns, 50200, 1); // as one of many in a row
}

TEST(StreamTarget, WorkThatCannotBeCapturedIsLaunchedAndThatIsSaid) {
    FakeGpu gpu;
    const auto target = make(gpu, gpu.kernel(2000));
    ASSERT_TRUE(target->sample(1));
    gpu.state.can_capture = false;
    const Result<Sample> sample = target->sample(100);
    ASSERT_TRUE(sample);
    EXPECT_NEAR(sample->time_ns, 2700, 1);
    EXPECT_TRUE(says(*target, "cannot be captured"));
}

TEST(StreamTarget, ColdSamplesAreFlushedAndOneRunEach) {
    FakeGpu gpu;
    const auto target = make(gpu, gpu.kernel(10e3), Caches::cold);
    const double before = gpu.state.flushed;
    const Result<Sample> sample = target->sample(50);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->runs, 1U);
    EXPECT_EQ(gpu.state.flushed - before, 1);
    EXPECT_NEAR(sample->time_ns, 10200, 1); // the flush's 40 us are not in it
    const auto hot = make(gpu, gpu.kernel(10e3), Caches::hot);
    const double flushed = gpu.state.flushed;
    ASSERT_TRUE(hot->sample(1));
    EXPECT_EQ(gpu.state.flushed, flushed);
}

TEST(StreamTarget, TheClockIsReadForEachSample) {
    FakeGpu gpu;
    const auto target = make(gpu, gpu.kernel(100e3));
    EXPECT_NEAR(target->sample(1)->clock_mhz, 1980, 1);
    gpu.state.clock_mhz = 1500;
    EXPECT_NEAR(target->sample(1)->clock_mhz, 1500, 60); // the counter jumped when the test changed the clock
}

TEST(StreamTarget, AStreamThatTakesFewerLaunchesGetsFewer) {
    FakeGpu gpu;
    gpu.state.queue_limit = 60;
    const auto target = make(gpu, gpu.kernel(2000));
    const Result<Sample> sample = target->sample(200);
    ASSERT_TRUE(sample);
    EXPECT_TRUE(sample->held_back);
    EXPECT_LT(3 * sample->runs, 60U);
    EXPECT_EQ(target->most_runs(), sample->runs);
    EXPECT_NEAR(sample->time_ns, 2700, 20); // no sample was held back before: launches, no graph
}

TEST(StreamTarget, WorkThatWaitsForTheDeviceIsTimedWithoutTheGateAndSaidSo) {
    FakeGpu gpu;
    const auto kernel = gpu.kernel(10e3);
    const auto target = make(gpu, [&](device::Stream& stream) -> Result<void> {
        if (const Result<void> queued = kernel(stream); !queued) return queued;
        return stream.synchronize();
    });
    for (const std::uint32_t runs : {1U, 8U}) {
        const Result<Sample> sample = target->sample(runs);
        ASSERT_TRUE(sample);
        EXPECT_FALSE(sample->held_back);
        EXPECT_LT(sample->time_ns, 100e3); // not the gate's timeout
    }
    EXPECT_TRUE(says(*target, "could not be held back"));
}

TEST(StreamTarget, ADriverThatIsEmulatedIsNeitherHeldBackNorBlamed) {
    FakeGpu gpu;
    gpu.state.gate_holds = false;
    gpu.state.source = Source::predicted;
    const auto target = make(gpu, gpu.kernel(10e3), Caches::cold);
    const Result<Sample> sample = target->sample(1);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->clock_mhz, 0);
    EXPECT_EQ(gpu.state.flushed, 0);
    EXPECT_TRUE(says(*target, "emulated"));
    EXPECT_FALSE(says(*target, "could not be held back"));
}

TEST(StreamTarget, ThrottlingIsInTheSampleAndNamed) {
    FakeGpu gpu;
    gpu.state.throttle = 0x4;
    const auto target = make(gpu, gpu.kernel(10e3));
    EXPECT_TRUE(target->sample(1)->throttled);
    EXPECT_TRUE(says(*target, "power"));
}

TEST(StreamTarget, AFailureOfTheWorkLeavesNoClosedGate) {
    FakeGpu gpu;
    const auto target = make(gpu, [](device::Stream&) -> Result<void> { return check_failed("a fault"); });
    const Result<Sample> sample = target->sample(3);
    ASSERT_FALSE(sample);
    EXPECT_EQ(sample.error().message, "a fault");
    EXPECT_FALSE(gpu.state.closed);
}

TEST(StreamTarget, ADeviceWithoutAClockIsUnavailable) {
    FakeGpu gpu;
    gpu.has_clock = false;
    const auto target = StreamTarget::make(gpu, "kernel", gpu.kernel(1), Caches::hot);
    ASSERT_FALSE(target);
    EXPECT_EQ(target.error().kind, ErrorKind::unavailable);
}

TEST(ClockStamps, TheMedianOverTheSmsThatTookPartInBoth) {
    const std::array<Stamp, 3> before = {{{7, 0, 0}, {7, 1000, 0}, {5, 9, 9}}};
    const std::array<Stamp, 3> after = {{{8, 19800, 10000}, {8, 20800, 10000}, {8, 10, 10000}}};
    EXPECT_NEAR(clock_between(before, after, 7, 8, 32), 1980, 0.1);
    EXPECT_EQ(clock_between(before, after, 9, 10, 32), 0);  // none took part
    EXPECT_EQ(clock_between(before, after, 7, 8, 1000), 0); // a timer of 1 us steps cannot tell
}

} // namespace apod::bench
