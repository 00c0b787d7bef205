#include "ladder/beside.hpp"

#include <gtest/gtest.h>

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
    climb.rungs = {rung("naive", Source::predicted, 80), rung("tiled", Source::predicted, 40)};
    for (RungResult& result : climb.rungs) {
        result.limiter = "dram";
        result.metrics["smsp__inst_executed.sum"] = {64, Source::counted, {}};
        result.metrics["apod__time_duration_cold.sum"] = {100, Source::predicted, {}};
        result.launches[0].metrics = result.metrics;
        result.launches[0].limiter = "dram";
        result.launches[0].shares = {{"dram", 0.8 * result.time_ns.value, 0.8}, {"launch", 0.2 * result.time_ns.value, 0.2}};
        result.launches[0].findings = result.findings = {Finding{.rule = "uncoalesced-load"}};
    }
    return climb;
}

} // namespace

TEST(Beside, APredictionIsPutBesideAMeasurementAndReplacesNothingOfIt) {
    ClimbResult climb;
    climb.rungs = {rung("naive", Source::measured, 100), rung("tiled", Source::measured, 50)};
    put_beside(climb, predicted());
    const RungResult& tiled = climb.rungs[1];
    EXPECT_EQ(tiled.time_ns.value, 50);
    EXPECT_EQ(tiled.time_ns.source, Source::measured);
    ASSERT_TRUE(tiled.predicted_ns);
    EXPECT_EQ(tiled.predicted_ns->value, 40);
    EXPECT_EQ(tiled.limiter, "dram");
    ASSERT_EQ(tiled.findings.size(), 1U);
    EXPECT_EQ(tiled.findings[0].rule, "uncoalesced-load");
    EXPECT_DOUBLE_EQ(tiled.launches[0].shares[0].time_ns, 0.8 * 40);
    EXPECT_EQ(tiled.metrics.at("gpu__time_duration.sum").value, 50);
    EXPECT_EQ(tiled.metrics.at("smsp__inst_executed.sum").source, Source::counted);
    EXPECT_FALSE(tiled.metrics.contains("apod__time_duration_cold.sum")) << "a predicted time is not put among measured ones";
    EXPECT_EQ(tiled.launches[0].metrics, tiled.metrics);
    EXPECT_EQ(tiled.launches[0].limiter, "dram");
}

TEST(Beside, RungsThatDidNotRunOnEitherSideAreLeftAlone) {
    ClimbResult climb;
    climb.rungs = {rung("naive", Source::measured, 100), rung("tiled", Source::measured, 50), rung("other", Source::measured, 20)};
    climb.rungs[0].verification = Verification::wrong;
    ClimbResult emulated = predicted();
    emulated.rungs[1].error = check_failed("it faulted");
    put_beside(climb, emulated);
    for (const RungResult& result : climb.rungs) {
        EXPECT_FALSE(result.predicted_ns) << result.name;
        EXPECT_TRUE(result.findings.empty()) << result.name;
    }
}

} // namespace apod::ladder
