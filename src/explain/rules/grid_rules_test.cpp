// How blocks meet the SMs.
#include "explain/gain.hpp"
#include "explain/sample_launch.hpp"

#include <gtest/gtest.h>

namespace apod::explain {
namespace {

// 119 blocks on 100 SMs: some have two, most have one.
TEST(GridTooSmall, FewerThanTwoBlocksForAnSmMaySaveWhatEvenOnesWould) {
    LaunchRecord launch = healthy();
    launch.grid = {119};
    launch.block = {128};
    launch.shares = {{"lsu", 95000, 0.95}, {"latency", 20000, 0.2}, {"launch", 5000, 0.05}};
    launch.floor_ns = {1000, Source::theoretical, {}};
    const Finding finding = only(launch, "grid-too-small");
    ASSERT_TRUE(finding.gain_ns.has_value());
    // 476 warps: 5 on the busiest SM instead of 8.
    EXPECT_NEAR(*finding.gain_ns, 100000 * 3.0 / 8, 3000);
    EXPECT_EQ(explain(launch, gpu()).front().rule, "grid-too-small") << "the largest gain comes first";
}

// A thread has much to do, and there are few of them: 1.5 blocks of 8 warps for each SM, where 64 fit.
TEST(GridTooSmall, MoreThreadsWithLessToDoEachHideWhatTheOthersWaitFor) {
    LaunchRecord launch = healthy();
    launch.grid = {150};
    launch.block = {256};
    launch.shares = {{"latency", 92000, 0.92}, {"lsu", 30000, 0.3}, {"launch", 5000, 0.05}};
    launch.floor_ns = {1000, Source::theoretical, {}};
    const Finding finding = only(launch, "grid-too-small");
    ASSERT_TRUE(finding.gain_ns.has_value());
    EXPECT_NE(finding.evidence.find("12 warps an SM, where 64 fit"), std::string::npos) << finding.evidence;
    // 17 us of waiting are left, beside which the load/store unit has 22 us for the busiest SM to do.
    EXPECT_NEAR(*finding.gain_ns, 70000, 8000);
}

TEST(GridTooSmall, WhereBlocksOfAWarpAreDealtEvenlyNothingIsGained) {
    LaunchRecord launch = healthy();
    launch.grid = {199};
    launch.block = {32};
    launch.shares = {{"lsu", 95000, 0.95}, {"launch", 5000, 0.05}};
    EXPECT_FALSE(has(rules_of(launch), "grid-too-small"));
}

TEST(TailWave, AWaveThatIsMostlyFullIsNoFinding) {
    LaunchRecord launch = healthy();
    launch.shares = {{"lsu", 95000, 0.95}, {"launch", 5000, 0.05}};
    launch.floor_ns = {1000, Source::theoretical, {}};
    for (const double waves : {1.79, 2.73, 3.99, 4.6}) {
        set(launch.metrics, metric::waves_per_sm, waves);
        EXPECT_FALSE(has(rules_of(launch), "tail-wave")) << waves;
    }
    set(launch.metrics, metric::waves_per_sm, 2.1);
    const Finding finding = only(launch, "tail-wave");
    ASSERT_TRUE(finding.gain_ns.has_value());
    EXPECT_NEAR(*finding.gain_ns, 95000 * 0.9 / 3, 3000);
}

// The longest warp takes 40 times what others take, while these take two waves.
TEST(UnevenWarps, WhereOneWarpLastsLongerThanTheWavesEvenOnesWouldTakeThese) {
    LaunchRecord launch = healthy();
    launch.shares = {{"latency", 90000, 0.9}, {"lsu", 2000, 0.02}, {"launch", 5000, 0.05}};
    launch.floor_ns = {1000, Source::theoretical, {}};
    set(launch.metrics, metric::waves_per_sm, 1.5);
    EXPECT_FALSE(has(rules_of(launch), "uneven-warps")) << "nothing is known of the longest";
    set(launch.metrics, metric::longest_warp, 40);
    const Finding finding = only(launch, "uneven-warps");
    ASSERT_TRUE(finding.gain_ns.has_value());
    EXPECT_NEAR(*finding.gain_ns, 90000 * (1 - 2.0 / 40), 6000);
    EXPECT_NE(finding.evidence.find("40 times"), std::string::npos) << finding.evidence;
    set(launch.metrics, metric::waves_per_sm, 30);
    EXPECT_FALSE(has(rules_of(launch), "uneven-warps")) << "the waves take almost as long";
}

TEST(Findings, WhatSavesLessThanThePredictionIsGoodForIsNone) {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::shared_load_requests, 1000);
    set(launch.metrics, metric::shared_wavefronts, 2000);
    set(launch.metrics, metric::shared_load_conflicts, 1000);
    launch.shares = {{"dram", 90000, 0.9}, {"shared", 12000, 0.12}, {"launch", 5000, 0.05}};
    EXPECT_FALSE(has(rules_of(launch), "bank-conflicts"));
    launch.shares.clear();
    EXPECT_TRUE(has(rules_of(launch), "bank-conflicts")) << "nobody knows what it costs";
    EXPECT_GE(worth_telling, 0.02);
}

} // namespace
} // namespace apod::explain
