// Every limiter that the model can name has something said about it.
#include "explain/sample_launch.hpp"
#include "model/predict/limiter.hpp"

#include <gtest/gtest.h>

namespace apod::explain {
namespace {

LaunchRecord limited(std::string_view by, double fraction) {
    LaunchRecord launch = healthy();
    launch.floor_ns = {1000, Source::theoretical, {}};
    launch.shares = {{std::string(by), 100000 * fraction, fraction}};
    if (by != "launch") launch.shares.push_back({"launch", 5000, 0.05});
    launch.shares.push_back({by == "lsu" ? "issue" : "lsu", 1000, 0.01});
    return launch;
}

TEST(WhatLimits, EveryLimiterHasAFindingOrIsSaidToBeAtItsPeak) {
    for (const std::string_view name : model::limiter_names)
        for (const double fraction : {0.92, 0.55}) EXPECT_FALSE(rules_of(limited(name, fraction)).empty()) << name << ' ' << fraction;
}

TEST(WhatLimits, AKernelAtThePeakOfItsArithmeticIsToldSo) {
    LaunchRecord launch = limited("fma", 0.93);
    set(launch.metrics, metric::issued, 1000);
    set(launch.metrics, metric::issued_arithmetic, 985);
    launch.shares.insert(launch.shares.begin(), {"issue", 95000, 0.95});
    const std::vector<Finding> findings = explain(launch, gpu());
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, "at-its-peak");
    EXPECT_NE(findings[0].title.find("at the hardware's peak"), std::string::npos);
    EXPECT_NE(findings[0].advice.find("fewer"), std::string::npos);
    EXPECT_FALSE(findings[0].gain_ns.has_value());
    EXPECT_FALSE(is_defect(findings[0]));
    EXPECT_EQ(explain(limited("fma", 0.79 * 0.95), gpu()).front().rule, "limited-by") << "of the kernel's time, without its launch";
}

TEST(WhatLimits, AFindingIsEnough) {
    LaunchRecord launch = limited("lsu", 0.92);
    set(launch.metrics, metric::global_load_sectors, 32000);
    set(launch.metrics, metric::global_load_wavefronts, 32000);
    EXPECT_TRUE(has(rules_of(launch), "uncoalesced-load"));
    EXPECT_FALSE(has(rules_of(launch), "at-its-peak"));
}

TEST(IssueBound, TheLineAndWhatItIssuesAreNamed) {
    LaunchRecord launch = limited("issue", 0.55);
    set(launch.metrics, metric::issued, 1000);
    set(launch.metrics, metric::issued_arithmetic, 230);
    set(launch.metrics, metric::issued_memory, 160);
    set(launch.metrics, metric::issued_integer, 240);
    set(launch.metrics, metric::issued_division, 340);
    LineRecord divides = line(35, metric::issued, 400);
    set(divides.metrics, metric::issued_division, 340);
    launch.lines = {line(30, metric::issued, 200), divides};
    const Finding finding = only(launch, "issue-bound");
    EXPECT_EQ(finding.line, 35u);
    EXPECT_NE(finding.evidence.find("34 % divisions"), std::string::npos) << finding.evidence;
    EXPECT_NE(finding.evidence.find("24 % integers"), std::string::npos) << finding.evidence;
    EXPECT_NE(finding.advice.find("reciprocal"), std::string::npos) << finding.advice;
    EXPECT_TRUE(finding.gain_ns.has_value());
    launch.shares.insert(launch.shares.begin(), {"dram", 90000, 0.9});
    EXPECT_FALSE(has(rules_of(launch), "issue-bound")) << "DRAM sets the time";
}

TEST(DispatchBound, ManySmallBlocksAreToldToDoMore) {
    LaunchRecord launch = limited("dispatch", 0.85);
    const Finding finding = only(launch, "dispatch-bound");
    EXPECT_NE(finding.evidence.find("4000 blocks of 256 threads"), std::string::npos) << finding.evidence;
    EXPECT_NE(finding.advice.find("(800)"), std::string::npos) << finding.advice;
    EXPECT_EQ(finding.advice.find("larger blocks"), std::string::npos);
    EXPECT_GT(*finding.gain_ns, 40000);
    launch.block = {64};
    EXPECT_NE(only(launch, "dispatch-bound").advice.find("larger blocks"), std::string::npos);
    EXPECT_FALSE(has(rules_of(limited("dispatch", 0.35)), "dispatch-bound"));
}

LaunchRecord tree() {
    LaunchRecord launch = limited("latency", 0.8);
    launch.grid = {100};
    launch.block = {128};
    set(launch.metrics, metric::barriers, 1700);
    set(launch.metrics, metric::issued, 100 * 4 * 17 * 22);
    set(launch.metrics, metric::wait_barriers, 400000);
    set(launch.metrics, metric::wait_memory, 600000);
    launch.lines = {line(21, metric::wait_barriers, 300000), line(18, metric::wait_barriers, 100000)};
    return launch;
}

TEST(ManyBarriers, ATreeThroughSharedMemoryIsToldToUseShuffles) {
    LaunchRecord launch = tree();
    const Finding finding = only(launch, "many-barriers");
    EXPECT_EQ(finding.line, 21u);
    EXPECT_NE(finding.evidence.find("17 barriers a block, one for every 22 instructions"), std::string::npos) << finding.evidence;
    EXPECT_NE(finding.advice.find("__shfl_down_sync"), std::string::npos);
    set(launch.metrics, metric::issued, 100 * 4 * 17 * 60);
    EXPECT_FALSE(has(rules_of(launch), "many-barriers")) << "much work between two barriers";
}

TEST(LatencyBound, WhatIsWaitedForMostIsNamedWithItsLine) {
    LaunchRecord launch = tree();
    set(launch.metrics, metric::barriers, 0);
    launch.lines.push_back(line(12, metric::wait_memory, 600000));
    Finding finding = only(launch, "latency-bound");
    EXPECT_EQ(finding.line, 12u);
    EXPECT_NE(finding.evidence.find("loads of memory (60 %), barriers (40 %)"), std::string::npos) << finding.evidence;
    EXPECT_NE(finding.advice.find("independent loads"), std::string::npos);
    set(launch.metrics, metric::wait_barriers, 4000000);
    finding = only(launch, "latency-bound");
    EXPECT_EQ(finding.line, 21u);
    EXPECT_NE(finding.advice.find("fewer barriers"), std::string::npos);
}

TEST(LaunchOverhead, TheLargestShareIsToldBelowHalfOfTheTimeToo) {
    LaunchRecord launch = healthy();
    launch.shares = {{"launch", 42000, 0.42}, {"lsu", 36000, 0.36}};
    EXPECT_NE(only(launch, "launch-overhead").title.find("any part"), std::string::npos);
    launch.shares = {{"lsu", 43000, 0.43}, {"launch", 42000, 0.42}};
    EXPECT_FALSE(has(rules_of(launch), "launch-overhead"));
}

} // namespace
} // namespace apod::explain
