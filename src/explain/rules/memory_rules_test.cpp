// Requests that lie badly, and what is told from them.
#include "explain/rules/rule.hpp"
#include "explain/sample_launch.hpp"

#include <gtest/gtest.h>

namespace apod::explain {
namespace {

TEST(Misaligned, AStartWithinASectorIsNotCalledUncoalesced) {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::global_load_sectors, 5000);
    set(launch.metrics, metric::global_store_sectors, 5000);
    launch.shares = {{"l2 reads", 90000, 0.9}, {"l2 writes", 90000, 0.9}, {"launch", 5000, 0.05}};
    std::vector<std::string> rules = rules_of(launch);
    EXPECT_FALSE(has(rules, "uncoalesced-load"));
    EXPECT_FALSE(has(rules, "uncoalesced-store"));
    launch.shares = {{"l2 reads", 90000, 0.9}, {"launch", 5000, 0.05}};
    const Finding load = only(launch, "misaligned-load");
    EXPECT_NE(load.evidence.find("5.0 sectors"), std::string::npos) << load.evidence;
    EXPECT_NE(load.advice.find("multiple of 32 B"), std::string::npos);
    launch.shares = {{"l2 writes", 90000, 0.9}, {"launch", 5000, 0.05}};
    EXPECT_TRUE(has(rules_of(launch), "misaligned-store"));
}

// Of a launch whose requests are scattered on one line and aligned on the others, the mean may be one sector too many.
TEST(Misaligned, TheWorstLineDecides) {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::global_load_sectors, 5000);
    launch.shares = {{"l2 reads", 90000, 0.9}, {"launch", 5000, 0.05}};
    LineRecord scattered = line(9, metric::global_load_sectors, 1142);
    set(scattered.metrics, metric::global_load_requests, 37);
    set(scattered.metrics, metric::ideal_load_sectors, 148);
    launch.lines = {scattered};
    const std::vector<std::string> rules = rules_of(launch);
    EXPECT_TRUE(has(rules, "uncoalesced-load"));
    EXPECT_FALSE(has(rules, "misaligned-load"));
}

TEST(Place, AnInlinedLineOfTheToolkitIsTheCallersOwnOnesIsItself) {
    LineRecord inlined = line(112, metric::atomic_lanes, 1);
    inlined.file = "/usr/local/cuda/include/device_atomic_functions.hpp";
    inlined.inlined_at = "project/hist.cu:14";
    Finding finding;
    place(finding, &inlined);
    EXPECT_EQ(finding.file, "project/hist.cu");
    EXPECT_EQ(finding.line, 14u);
    inlined.file = "project/helpers.cuh";
    place(finding, &inlined);
    EXPECT_EQ(finding.file, "project/helpers.cuh");
    EXPECT_EQ(finding.line, 112u);
}

} // namespace
} // namespace apod::explain
