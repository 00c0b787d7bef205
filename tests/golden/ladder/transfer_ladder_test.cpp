// The transfer ladder: from and to the host through every kind of memory, right whatever the size, and what each rung is said to be worth.
#include "base/assets.hpp"
#include "base/file.hpp"
#include "emulated_climb.hpp"
#include "ladder/estimate.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace apod::golden {
namespace {

double time_of(const ladder::ClimbResult& climb, const std::string& rung) { return rung_of(climb, rung).time_ns.value; }

ladder::Estimate estimate_before(const ladder::ClimbResult& climb, const std::string& rung) {
    for (const ladder::Estimate& estimate : ladder::estimates(climb))
        if (estimate.after == rung) return estimate;
    ADD_FAILURE() << "nothing was said before " << rung;
    return {};
}

TEST(TransferLadder, every_rung_is_right_and_its_predicted_time_is_that_of_the_whole) {
    const auto climb = climb_emulated("transfer");
    ASSERT_TRUE(climb.ok()) << to_text(climb.error());
    EXPECT_EQ(climb->parameters.at("n"), 8388608); // an emulated device has a default of its own
    ASSERT_EQ(climb->rungs.size(), 6u);
    for (const ladder::RungResult& rung : climb->rungs) {
        EXPECT_EQ(rung.verification, ladder::Verification::correct) << rung.name;
        ASSERT_TRUE(rung.pipeline) << rung.name;
        EXPECT_EQ(rung.pipeline->shape.bytes_in, 33554432u);
        EXPECT_EQ(rung.pipeline->shape.bytes_out, 33554432u);
        EXPECT_EQ(rung.time_ns.source, Source::predicted);
        EXPECT_EQ(rung.time_ns, rung.pipeline->time_ns);
        EXPECT_NEAR(rung.floor_ns.value, 33554432 / 63.015, 10) << rung.name; // the link, one way
        EXPECT_GT(rung.time_ns.value, rung.floor_ns.value) << rung.name;
        EXPECT_LE(rung.launches.size(), 2u); // of each shape one
    }
    EXPECT_LT(time_of(*climb, "pinned"), time_of(*climb, "pageable") / 3);
    EXPECT_GE(time_of(*climb, "chunked"), time_of(*climb, "pinned"));
    EXPECT_LT(time_of(*climb, "overlapped"), 0.7 * time_of(*climb, "chunked"));
    for (const ladder::RungResult& rung : climb->rungs) EXPECT_GE(rung.time_ns.value, time_of(*climb, "stages")) << rung.name;
}

TEST(TransferLadder, at_its_size_on_a_gpu_the_last_copies_are_near_what_the_link_allows) {
    const auto climb = climb_emulated("transfer", {{"n", 16777216}}, {"overlapped", "stages"});
    ASSERT_TRUE(climb.ok()) << to_text(climb.error());
    EXPECT_LT(time_of(*climb, "stages"), time_of(*climb, "overlapped"));
    const PipelineRecord& last = *rung_of(*climb, "stages").pipeline;
    EXPECT_EQ(last.shape.chunks, 16u); // as the square root of the size
    ASSERT_TRUE(last.both_ways_ns);
    EXPECT_GT(last.both_ways_ns->value / last.time_ns.value, 0.88);
    EXPECT_LT(std::max(last.copy_in_ns->value, last.copy_out_ns->value) / last.both_ways_ns->value, 0.92); // more nobody reaches
    EXPECT_EQ(rung_of(*climb, "stages").limiter, "copy in");
}

TEST(TransferLadder, explain_said_what_pinning_and_overlapping_are_worth) {
    const auto climb = climb_emulated("transfer");
    ASSERT_TRUE(climb.ok()) << to_text(climb.error());
    EXPECT_EQ(estimate_before(*climb, "pinned").rule, "pageable-copies");
    EXPECT_EQ(estimate_before(*climb, "pinned").outcome, ladder::EstimateOutcome::came_true);
    EXPECT_EQ(estimate_before(*climb, "mapped").rule, "copies-in-a-row");
    EXPECT_EQ(estimate_before(*climb, "chunked").rule, "");
    EXPECT_EQ(estimate_before(*climb, "overlapped").rule, "copies-in-a-row");
    EXPECT_EQ(estimate_before(*climb, "overlapped").outcome, ladder::EstimateOutcome::came_true);
}

TEST(TransferLadder, sizes_that_do_not_fit_the_chunks_are_right) {
    for (const double n : {1.0, 3.0, 1023.0, 1025.0, 40001.0, 65537.0}) {
        const auto climb = climb_emulated("transfer", {{"n", n}});
        ASSERT_TRUE(climb.ok()) << to_text(climb.error());
        for (const ladder::RungResult& rung : climb->rungs)
            EXPECT_EQ(rung.verification, ladder::Verification::correct) << rung.name << " of " << n;
    }
}

TEST(TransferLadder, a_gpu_that_is_not_on_pcie_has_no_times) {
    const auto climb = climb_emulated("transfer", {{"n", 1000}}, {"pinned"}, "gh200");
    ASSERT_TRUE(climb.ok()) << to_text(climb.error());
    ASSERT_TRUE(climb->rungs[0].error);
    EXPECT_NE(climb->rungs[0].error->message.find("C2C"), std::string::npos) << climb->rungs[0].error->message;
}

// The built-in ladder with something else in it.
class TransferMistakes : public ::testing::Test {
protected:
    Result<ladder::ClimbResult> climb_with(const std::string& from, const std::string& to, const std::string& rung) {
        std::string text(*find_asset("workloads/transfer/ladder.toml"));
        text.replace(text.find("transfer.cu"), 11, "transfer.ptx");
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
        EXPECT_TRUE(write_file(directory_.path() / "transfer.ptx", *find_asset("workloads/transfer/transfer.ptx")).ok());
        EXPECT_TRUE(write_file(directory_.path() / "l.toml", text).ok());
        return climb_emulated((directory_.path() / "l.toml").string(), {{"n", 5000}}, {rung});
    }
    void expect_error(const std::string& from, const std::string& to, const std::string& message) {
        const auto climb = climb_with(from, to, "pinned");
        ASSERT_FALSE(climb.ok()) << message;
        EXPECT_NE(to_text(climb.error()).find(message), std::string::npos) << to_text(climb.error());
        EXPECT_NE(to_text(climb.error()).find("l.toml:"), std::string::npos) << to_text(climb.error());
    }
    TempDirectory directory_ = std::move(TempDirectory::make("apod-transfer").value());
};

TEST_F(TransferMistakes, a_wrong_result_and_one_that_never_comes_are_wrong) {
    for (const char* rung : {"pageable", "chunked", "mapped"}) {
        auto climb = climb_with("\"factor\", \"chunk\"]", "\"2*factor\", \"chunk\"]", rung);
        ASSERT_TRUE(climb.ok()) << to_text(climb.error());
        EXPECT_EQ(climb->rungs[0].verification, ladder::Verification::wrong) << rung;
        climb = climb_with("\"factor\", \"chunk\"]", "\"factor\", \"chunk-1\"]", rung); // the last element of each chunk
        ASSERT_TRUE(climb.ok()) << to_text(climb.error());
        EXPECT_EQ(climb->rungs[0].verification, ladder::Verification::wrong) << rung;
        ASSERT_TRUE(climb->rungs[0].mismatch);
    }
}

TEST_F(TransferMistakes, are_answered_with_their_place) {
    expect_error("host = \"pinned\"", "host = \"pined\"", "'pined' is no kind of host memory");
    expect_error("host = \"mapped\"", "streams = 2", "has 'streams' but no host memory");
    expect_error("chunks = \"max(4", "chunks = \"many + max(4", "there is no parameter 'many'");
    expect_error("name = \"pinned\"\n", "name = \"pinned\"\nstreams = 33\n", "streams is 33, and may be at most 32");
    expect_error("role = \"out\"", "role = \"out\"\n\n[[buffer]]\nname = \"z\"\ntype = \"f32\"\nshape = 7\ninit = \"zeros\"",
                 "cannot be cut into the same chunks");
    expect_error("reference = \"scale\"", "rung = \"pageable\"", "go out to the host");
    expect_error("emulated = 8388608", "emulated = 1.5", "emulated");
}

} // namespace
} // namespace apod::golden
