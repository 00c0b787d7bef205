// Doubles, conversions, special functions, and loads that the compiler could not leave out.
#include "explain/sample_launch.hpp"

#include <gtest/gtest.h>

namespace apod::explain {
namespace {

LaunchRecord converting() {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::float_double_conversions, 100000);
    launch.shares = {{"xu", 83000, 0.83}, {"latency", 20000, 0.2}, {"launch", 5000, 0.05}};
    launch.floor_ns = {1000, Source::theoretical, {}};
    launch.lines = {line(3, metric::float_double_conversions, 100000)};
    return launch;
}

TEST(AccidentalDouble, ConversionsThatKeepTheirUnitBusyAreNamedOnEveryGpu) {
    const LaunchRecord launch = converting();
    const Finding finding = only(launch, "float-to-double-and-back");
    EXPECT_EQ(finding.line, 3u);
    ASSERT_TRUE(finding.gain_ns.has_value());
    EXPECT_GT(*finding.gain_ns, 50000);
    EXPECT_NE(finding.advice.find("0.5f"), std::string::npos);
    EXPECT_FALSE(has(rules_of(launch), "special-functions"));
}

TEST(AccidentalDouble, OnAGpuWithFewDoublesItIsSaidOnce) {
    LaunchRecord launch = converting();
    launch.shares = {{"fp64", 90000, 0.9}, {"launch", 5000, 0.05}};
    EXPECT_TRUE(has(rules_of(launch), "float-to-double-and-back"));
    EXPECT_FALSE(has(rules_of(launch), "fp64-on-a-gpu-with-little"));
}

TEST(AccidentalDouble, AFewConversionsOfAKernelThatWantsDoublesAreNone) {
    LaunchRecord launch = converting();
    set(launch.metrics, metric::float_double_conversions, 1000);
    launch.shares = {{"fp64", 90000, 0.9}, {"launch", 5000, 0.05}};
    EXPECT_FALSE(has(rules_of(launch), "float-to-double-and-back"));
    EXPECT_TRUE(has(rules_of(launch), "fp64-on-a-gpu-with-little"));
}

TEST(SpecialFunctions, ABusyUnitIsNamed) {
    LaunchRecord launch = healthy();
    launch.shares = {{"xu", 83000, 0.83}, {"launch", 5000, 0.05}};
    EXPECT_TRUE(has(rules_of(launch), "special-functions"));
    launch.shares = {{"dram", 83000, 0.83}, {"xu", 30000, 0.3}, {"launch", 5000, 0.05}};
    EXPECT_FALSE(has(rules_of(launch), "special-functions"));
}

TEST(Reloads, WhatAThreadHasLoadedBeforeIsNamedWithRestrict) {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::followed_loads, 1024);
    set(launch.metrics, metric::followed_reloads, 896);
    model::recompute_ratios(launch.metrics);
    launch.shares = {{"lsu", 95000, 0.95}, {"latency", 30000, 0.3}, {"launch", 5000, 0.05}};
    launch.floor_ns = {1000, Source::theoretical, {}};
    launch.lines = {line(8, metric::followed_reloads, 896)};
    const Finding finding = only(launch, "reloads");
    EXPECT_EQ(finding.line, 8u);
    EXPECT_NE(finding.evidence.find("88 %"), std::string::npos) << finding.evidence;
    EXPECT_NE(finding.advice.find("__restrict__"), std::string::npos);
    EXPECT_TRUE(finding.gain_ns.has_value());
    EXPECT_FALSE(has(rules_of(healthy()), "reloads"));
}

TEST(Reloads, AcrossBarriersARegisterIsToKeepItAndLessIsEstimated) {
    LaunchRecord launch = healthy();
    set(launch.metrics, metric::barriers, 100);
    set(launch.metrics, metric::followed_loads, 1200);
    set(launch.metrics, metric::followed_reloads, 800);
    model::recompute_ratios(launch.metrics);
    launch.shares = {{"lsu", 95000, 0.95}, {"latency", 30000, 0.3}, {"launch", 5000, 0.05}};
    launch.floor_ns = {1000, Source::theoretical, {}};
    const Finding finding = only(launch, "reloads");
    EXPECT_EQ(finding.advice.find("__restrict__"), std::string::npos);
    EXPECT_NE(finding.advice.find("registers"), std::string::npos);
    // Less than half of a thread's loads: another thread may have stored there.
    set(launch.metrics, metric::followed_reloads, 590);
    model::recompute_ratios(launch.metrics);
    EXPECT_FALSE(has(rules_of(launch), "reloads"));
}

} // namespace
} // namespace apod::explain
