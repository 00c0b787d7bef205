#include "explain/explain.hpp"

#include "explain/gain.hpp"
#include "explain/sample_launch.hpp"

#include <gtest/gtest.h>

namespace apod::explain {
namespace {

TEST(Explain, OfAHealthyLaunchOnlyItsPeakIsTold) {
    EXPECT_EQ(rules_of(healthy()), std::vector<std::string>{"at-its-peak"});
    EXPECT_EQ(rules_of(unexplained()), std::vector<std::string>{});
}

TEST(Explain, ScatteredStoresAreNamedWithTheirLineAndWhatCoalescingSaves) {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::global_store_sectors, 32000);
    set(launch.metrics, metric::global_store_wavefronts, 32000);
    launch.shares = {{"l2 writes", 95000, 0.95}, {"lsu", 20000, 0.2}, {"launch", 5000, 0.05}};
    launch.lines = {line(7, metric::global_load_sectors, 4000), line(8, metric::global_store_sectors, 32000)};
    const Finding finding = only(launch, "uncoalesced-store");
    EXPECT_EQ(finding.file, "k.cu");
    EXPECT_EQ(finding.line, 8u);
    EXPECT_NE(finding.evidence.find("32.0 sectors"), std::string::npos) << finding.evidence;
    ASSERT_TRUE(finding.gain_ns.has_value());
    EXPECT_GT(*finding.gain_ns, 30000);
    EXPECT_LE(*finding.gain_ns, 40000) << "no more than what lies above the floor";
}

TEST(Explain, ScatteredLoadsAreNamed) {
    LaunchRecord launch = unexplained();
    set(launch.metrics, metric::global_load_sectors, 32000);
    EXPECT_TRUE(has(rules_of(launch), "uncoalesced-load"));
}

TEST(Explain, BankConflictsCountFromATenthOfTheWavefronts) {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::shared_load_requests, 1000);
    set(launch.metrics, metric::shared_wavefronts, 1000);
    set(launch.metrics, metric::shared_load_conflicts, 50);
    EXPECT_FALSE(has(rules_of(launch), "bank-conflicts"));
    set(launch.metrics, metric::shared_wavefronts, 32000);
    set(launch.metrics, metric::shared_load_conflicts, 31000);
    launch.shares = {{"shared", 95000, 0.95}, {"launch", 5000, 0.05}};
    const Finding finding = only(launch, "bank-conflicts");
    ASSERT_TRUE(finding.gain_ns.has_value());
    EXPECT_EQ(*finding.gain_ns, 40000);
}

TEST(Explain, SmallGridsTailsAndOddBlocksAreNamed) {
    LaunchRecord launch = unexplained();
    launch.grid = {4};
    EXPECT_TRUE(has(rules_of(launch), "grid-too-small"));
    launch = unexplained();
    set(launch.metrics, metric::waves_per_sm, 1.1);
    EXPECT_TRUE(has(rules_of(launch), "tail-wave"));
    set(launch.metrics, metric::waves_per_sm, 1.9);
    EXPECT_FALSE(has(rules_of(launch), "tail-wave"));
    launch = unexplained();
    launch.block = {100};
    EXPECT_TRUE(has(rules_of(launch), "block-not-multiple-of-32"));
}

TEST(Explain, DivergenceAndOneThreadBlocksAreToldApart) {
    LaunchRecord launch = unexplained();
    set(launch.metrics, metric::thread_instructions, 100000);
    EXPECT_TRUE(has(rules_of(launch), "divergence"));
    launch.block = {1};
    set(launch.metrics, metric::thread_instructions, 10000);
    EXPECT_TRUE(has(rules_of(launch), "one-thread-blocks"));
    EXPECT_FALSE(has(rules_of(launch), "divergence"));
}

TEST(Explain, LowOccupancyNamesItsLimiter) {
    LaunchRecord launch = healthy();
    launch.occupancy = {3, 24, 64, "shared"};
    EXPECT_FALSE(has(rules_of(launch), "low-occupancy")) << "nothing waits for warps";
    launch.shares = waiting();
    const Finding finding = only(launch, "low-occupancy");
    EXPECT_NE(finding.evidence.find("shared"), std::string::npos);
    EXPECT_NE(finding.advice.find("shared memory"), std::string::npos);
}

TEST(Explain, AnIdleGpuThatWaitsIsLatencyBound) {
    LaunchRecord launch = healthy();
    launch.shares = {{"latency", 90000, 0.9}, {"dram", 20000, 0.2}, {"launch", 5000, 0.05}};
    EXPECT_TRUE(has(rules_of(launch), "latency-bound"));
}

TEST(Explain, LocalMemoryAtomicsLaunchOverheadAndFp64AreNamed) {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::local_store_sectors, 400);
    set(launch.metrics, metric::global_atomic_requests, 100);
    set(launch.metrics, metric::atomic_lanes, 3200);
    set(launch.metrics, metric::atomic_addresses, 100);
    model::recompute_ratios(launch.metrics);
    launch.shares.clear();
    EXPECT_TRUE(has(rules_of(launch), "local-memory"));
    EXPECT_TRUE(has(rules_of(launch), "atomic-contention"));
    launch.floor_ns = {1000, Source::theoretical, {}};
    launch.shares = {{"launch", 60000, 0.6}, {"fp64", 30000, 0.3}};
    EXPECT_TRUE(has(rules_of(launch), "launch-overhead"));
    EXPECT_TRUE(has(rules_of(launch), "fp64-on-a-gpu-with-little"));
}

TEST(Explain, TheLargestGainComesFirstAndFindingsWithoutOneLast) {
    LaunchRecord launch = healthy();
    launch.grid = {4};
    launch.block = {100};
    set(launch.metrics, metric::global_store_sectors, 32000);
    launch.shares = {{"l2 writes", 60000, 0.6}, {"latency", 50000, 0.5}, {"launch", 5000, 0.05}};
    const std::vector<Finding> findings = explain(launch, gpu());
    ASSERT_GE(findings.size(), 2u);
    for (std::size_t i = 1; i < findings.size(); ++i) EXPECT_GE(findings[i - 1].gain_ns.value_or(-1), findings[i].gain_ns.value_or(-1));
}

TEST(Explain, AMeasuredLaunchWithoutSharesHasFindingsButNoEstimates) {
    LaunchRecord launch = healthy();
    launch.shares.clear();
    set(launch.metrics, metric::global_store_sectors, 32000);
    EXPECT_FALSE(only(launch, "uncoalesced-store").gain_ns.has_value());
}

TEST(Gain, NothingIsGainedFromWhatDoesNotLimit) {
    EXPECT_FALSE(gain_ns(healthy(), {{"lsu", 0.5}}).has_value());
    EXPECT_TRUE(gain_ns(healthy(), {{"dram", 0.5}}).has_value());
}

} // namespace
} // namespace apod::explain
