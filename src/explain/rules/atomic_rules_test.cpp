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

// 528 blocks of 256 threads, four on each SM: 132 of 256 would leave a quarter of the warps to hide the waiting (15.7 -> 29.2 us).
TEST(GlobalAtomics, TheAdviceKeepsTheThreads) {
    LaunchRecord launch = histogram();
    launch.grid = {400};
    launch.block = {256};
    set(launch.metrics, metric::shared_atomic_requests, 32768);
    set(launch.metrics, metric::global_reduction_requests, 3200);
    const Finding finding = only(launch, "global-atomics");
    EXPECT_NE(finding.advice.find("100 blocks of up to 1024 threads instead of 400 of 256"), std::string::npos) << finding.advice;
    EXPECT_NE(finding.evidence.find("within 32 sectors of 32 B"), std::string::npos) << finding.evidence;
    // Waiting is not estimated to become less.
    const double saved = *finding.gain_ns;
    launch.shares[1].time_ns = 0;
    EXPECT_NEAR(*only(launch, "global-atomics").gain_ns, saved, 0.1 * saved);
    // Two blocks of 1024 threads an SM are as few as keep the threads there are.
    launch.grid = {200};
    launch.block = {1024};
    launch.occupancy.blocks_per_sm = 2;
    set(launch.metrics, metric::global_reduction_requests, 1600);
    EXPECT_FALSE(has(rules_of(launch), "global-atomics"));
}

LaunchRecord skewed() {
    LaunchRecord launch = healthy();
    for (const std::string_view name : {metric::global_load_wavefronts, metric::global_store_wavefronts}) set(launch.metrics, name, 0);
    set(launch.metrics, metric::shared_atomic_requests, 1000);
    set(launch.metrics, metric::shared_wavefronts, 1000);
    set(launch.metrics, metric::atomic_lanes, 32000);
    set(launch.metrics, metric::atomic_addresses, 17000);
    set(launch.metrics, metric::shared_atomic_turns, 16000);
    model::recompute_ratios(launch.metrics);
    launch.shares = {{"shared", 95000, 0.95}, {"launch", 5000, 0.05}};
    launch.floor_ns = {1000, Source::theoretical, {}};
    return launch;
}

// Half of the lanes on one word, the others on their own: 1.9 lanes an address on average, but 16 turns.
TEST(AtomicContention, TheBusiestWordCountsAndNotTheMean) {
    LaunchRecord launch = skewed();
    const Finding finding = only(launch, "atomic-contention");
    EXPECT_NE(finding.evidence.find("16.0 lanes"), std::string::npos) << finding.evidence;
    EXPECT_NE(finding.advice.find("16 times as many copies"), std::string::npos) << finding.advice;
    ASSERT_TRUE(finding.gain_ns.has_value());
    EXPECT_NEAR(*finding.gain_ns, 95000 * 0.75, 1000) << "a quarter of the turns is left";
    EXPECT_FALSE(has(rules_of(launch), "shared-atomic-conflicts"));
    // A turn a request: nothing to part.
    set(launch.metrics, metric::shared_atomic_turns, 1000);
    EXPECT_FALSE(has(rules_of(launch), "atomic-contention"));
}

// With eight copies four lanes meet at a word: four times as many is what is left to try, and the estimate follows the time that is
// charged.
TEST(AtomicContention, WhereCopiesAreThereMoreOfThemAreTheAdvice) {
    LaunchRecord launch = skewed();
    set(launch.metrics, metric::shared_wavefronts, 3440);
    set(launch.metrics, metric::shared_atomic_conflicts, 2440);
    set(launch.metrics, metric::shared_atomic_turns, 3970);
    launch.shares = {{"latency", 65000, 0.65}, {"shared", 30000, 0.3}, {"launch", 5000, 0.05}};
    const Finding finding = only(launch, "atomic-contention");
    EXPECT_NE(finding.advice.find("4 times as many copies"), std::string::npos) << finding.advice;
    EXPECT_LT(*finding.gain_ns, 30000);
    EXPECT_FALSE(has(rules_of(launch), "shared-atomic-conflicts")) << "told once";
}

TEST(AtomicContention, FloatsAreNotToldToUseWhatAddsIntegersOnly) {
    LaunchRecord launch = skewed();
    EXPECT_NE(only(launch, "atomic-contention").advice.find("__reduce_add_sync"), std::string::npos);
    set(launch.metrics, metric::float_atomics, 1000);
    EXPECT_EQ(only(launch, "atomic-contention").advice.find("__reduce_add_sync"), std::string::npos);
}

TEST(AtomicContention, TheAdviceFitsWhereTheAtomicIs) {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::atomic_lanes, 32000);
    set(launch.metrics, metric::atomic_addresses, 1000);
    model::recompute_ratios(launch.metrics);
    launch.shares = {{"atomics", 90000, 0.9}, {"launch", 5000, 0.05}};
    set(launch.metrics, metric::global_atomic_requests, 1000);
    EXPECT_NE(only(launch, "atomic-contention").advice.find("(shared memory)"), std::string::npos);
    set(launch.metrics, metric::global_atomic_requests, 8);
    set(launch.metrics, metric::shared_atomic_requests, 1000);
    launch.shares = {{"shared", 90000, 0.9}, {"launch", 5000, 0.05}};
    EXPECT_EQ(only(launch, "atomic-contention").advice.find("(shared memory)"), std::string::npos);
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
