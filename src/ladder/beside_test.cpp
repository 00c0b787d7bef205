#include "ladder/beside.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace apod::ladder {

namespace {

RungResult rung(const char* name, Source source, double ns) {
    RungResult result;
    result.name = name;
    result.verification = Verification::correct;
    result.time_ns = {ns, source, {}};
    LaunchRecord launch;
    launch.time_ns = result.time_ns;
    launch.metrics["gpu__time_duration.sum"] = result.time_ns;
    result.metrics = launch.metrics;
    result.launches = {launch};
    return result;
}

ClimbResult predicted() {
    ClimbResult climb;
    climb.rungs = {rung("naive", Source::predicted, 90), rung("tiled", Source::predicted, 45)};
    for (RungResult& result : climb.rungs) {
        result.limiter = "dram";
        result.metrics["smsp__inst_executed.sum"] = {64, Source::counted, {}};
        result.metrics["gpu__time_duration.sum"] = {result.time_ns.value - 5, Source::predicted, {}};
        result.metrics["apod__time_duration_cold.sum"] = {100, Source::predicted, {}};
        result.launches[0].metrics = result.metrics;
        result.launches[0].limiter = "dram";
        result.launches[0].shares = {{"launch", 0.8 * result.time_ns.value, 0.8}, {"dram", 0.2 * result.time_ns.value, 0.2}};
    }
    return climb;
}

} // namespace

TEST(Beside, APredictionIsPutBesideAMeasurementAndReplacesNothingOfIt) {
    ClimbResult climb;
    climb.rungs = {rung("naive", Source::measured, 100), rung("tiled", Source::measured, 50)};
    put_beside(climb, predicted(), {});
    const RungResult& tiled = climb.rungs[1];
    EXPECT_EQ(tiled.time_ns.value, 50);
    EXPECT_EQ(tiled.time_ns.source, Source::measured);
    ASSERT_TRUE(tiled.predicted_ns);
    EXPECT_EQ(tiled.predicted_ns->value, 40) << "without what events around a launch add";
    EXPECT_EQ(tiled.limiter, "launch");
    EXPECT_TRUE(std::any_of(tiled.findings.begin(), tiled.findings.end(),
                            [](const Finding& finding) { return finding.rule == "launch-overhead"; }));
    EXPECT_DOUBLE_EQ(tiled.launches[0].shares[0].time_ns, 0.8 * 45 - 5) << "without what events around a launch add";
    EXPECT_EQ(tiled.metrics.at("gpu__time_duration.sum").value, 50);
    EXPECT_EQ(tiled.metrics.at("smsp__inst_executed.sum").source, Source::counted);
    EXPECT_FALSE(tiled.metrics.contains("apod__time_duration_cold.sum")) << "a predicted time is not put among measured ones";
    EXPECT_EQ(tiled.launches[0].metrics, tiled.metrics);
    EXPECT_EQ(tiled.launches[0].limiter, "launch");
}

TEST(Beside, RungsThatDidNotRunOnEitherSideAreLeftAlone) {
    ClimbResult climb;
    climb.rungs = {rung("naive", Source::measured, 100), rung("tiled", Source::measured, 50), rung("other", Source::measured, 20)};
    climb.rungs[0].verification = Verification::wrong;
    ClimbResult emulated = predicted();
    emulated.rungs[1].error = check_failed("it faulted");
    put_beside(climb, emulated, {});
    for (const RungResult& result : climb.rungs) {
        EXPECT_FALSE(result.predicted_ns) << result.name;
        EXPECT_TRUE(result.findings.empty()) << result.name;
    }
}

} // namespace apod::ladder
