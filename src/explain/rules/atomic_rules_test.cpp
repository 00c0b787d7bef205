// Atomics: lanes of a warp at one address, all of the chip at few addresses, banks of shared memory.
#include "explain/sample_launch.hpp"

#include <gtest/gtest.h>

namespace apod::explain {
namespace {

// Random bins in global memory: hardly two lanes of a request meet, and yet all wait in L2.
LaunchRecord histogram() {
    LaunchRecord launch = healthy();
    launch.grid = {264};
    set(launch.metrics, metric::global_reduction_requests, 32768);
    set(launch.metrics, metric::atomic_lanes, 1048576);
    set(launch.metrics, metric::atomic_addresses, 1000000);
    set(launch.metrics, metric::footprint_write_bytes, 1024);
    model::recompute_ratios(launch.metrics);
    launch.shares = {{"atomics", 95000, 0.95}, {"latency", 9000, 0.09}, {"launch", 5000, 0.05}};
    launch.floor_ns = {1000, Source::theoretical, {}};
    launch.lines = {line(17, metric::global_reduction_requests, 32768)};
    return launch;
}

TEST(GlobalAtomics, FewAddressesForTheWholeChipAreNamed) {
    const LaunchRecord launch = histogram();
    const Finding finding = only(launch, "global-atomics");
    EXPECT_EQ(finding.line, 17u);
    ASSERT_TRUE(finding.gain_ns.has_value());
    EXPECT_GT(*finding.gain_ns, 80000) << "a sixteenth of the updates is left";
    EXPECT_NE(finding.advice.find("shared memory"), std::string::npos);
    EXPECT_FALSE(has(rules_of(launch), "atomic-contention"));
}

TEST(GlobalAtomics, ManyAddressesGainNothingFromCopiesOfABlock) {
    LaunchRecord launch = histogram();
    set(launch.metrics, metric::footprint_write_bytes, 4 << 20);
    EXPECT_FALSE(has(rules_of(launch), "global-atomics"));
    launch = histogram();
    launch.shares = {{"dram", 95000, 0.95}, {"atomics", 5000, 0.05}};
    EXPECT_FALSE(has(rules_of(launch), "global-atomics"));
}

TEST(GlobalAtomics, WhereABlockHasItsCopyAlreadyItIsToDoMore) {
    LaunchRecord launch = histogram();
    set(launch.metrics, metric::shared_atomic_requests, 32768);
    set(launch.metrics, metric::global_reduction_requests, 2112);
    const Finding finding = only(launch, "global-atomics");
    EXPECT_EQ(finding.advice.find("Let each block have a copy"), std::string::npos);
    EXPECT_NE(finding.evidence.find("67584 updates"), std::string::npos) << finding.evidence;
    launch.grid = {100}; // one block for each SM already
    set(launch.metrics, metric::global_reduction_requests, 800);
    EXPECT_FALSE(has(rules_of(launch), "global-atomics"));
}

TEST(AtomicContention, TheAdviceFitsWhereTheAtomicIs) {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::atomic_lanes, 32000);
    set(launch.metrics, metric::atomic_addresses, 1000);
    model::recompute_ratios(launch.metrics);
    launch.shares = {{"atomics", 90000, 0.9}, {"launch", 5000, 0.05}};
    set(launch.metrics, metric::global_atomic_requests, 1000);
    EXPECT_NE(only(launch, "atomic-contention").advice.find("(shared memory) first"), std::string::npos);
    set(launch.metrics, metric::global_atomic_requests, 8);
    set(launch.metrics, metric::shared_atomic_requests, 1000);
    launch.shares = {{"shared", 90000, 0.9}, {"launch", 5000, 0.05}};
    EXPECT_EQ(only(launch, "atomic-contention").advice.find("(shared memory) first"), std::string::npos);
}

TEST(SharedAtomics, NobodyIsToldToPadWhereDataChooseTheAddress) {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::shared_atomic_requests, 32768);
    set(launch.metrics, metric::shared_wavefronts, 103467);
    set(launch.metrics, metric::shared_atomic_conflicts, 70699);
    launch.shares = {{"shared", 90000, 0.9}, {"launch", 5000, 0.05}};
    EXPECT_FALSE(has(rules_of(launch), "bank-conflicts"));
    const Finding finding = only(launch, "shared-atomic-conflicts");
    EXPECT_NE(finding.advice.find("padding changes nothing"), std::string::npos);
    // Shared memory that is hardly busy: no problem worth a word.
    launch.shares = {{"dram", 90000, 0.9}, {"shared", 6000, 0.06}, {"launch", 5000, 0.05}};
    EXPECT_FALSE(has(rules_of(launch), "shared-atomic-conflicts"));
}

} // namespace
} // namespace apod::explain
