#include "model/predict/limiter.hpp"

#include <gtest/gtest.h>

namespace apod::model {
namespace {

LaunchRecord launch() {
    LaunchRecord record;
    record.time_ns = {6500, Source::predicted, {}};
    record.metrics["gpu__time_duration.sum"] = {2900, Source::predicted, {}};
    record.shares = {{"launch", 5100, 0.785}, {"latency", 1000, 0.154}, {"dram", 400, 0.062}};
    record.limiter = "launch";
    return record;
}

} // namespace

TEST(Limiter, TheLaunchIsItOnlyWhereItIsMoreThanHalfOfTheTime) {
    EXPECT_EQ(limiter_of(launch().shares), "launch");
    EXPECT_EQ(limiter_of({{"launch", 50, 0.5}, {"dram", 20, 0.2}}), "dram");
    EXPECT_EQ(limiter_of({}), "");
}

TEST(WithoutEvents, TimeSharesAndLimiterAreThoseOfTheKernelAlone) {
    LaunchRecord record = launch();
    record.shares[0].time_ns = 4000; // 400 of it remain: less than latency
    const LaunchRecord alone = without_events(record);
    EXPECT_EQ(alone.time_ns.value, 2900);
    ASSERT_EQ(alone.shares.size(), 3U);
    EXPECT_EQ(alone.shares[0].name, "latency");
    EXPECT_DOUBLE_EQ(alone.shares[0].fraction, 1000.0 / 2900);
    EXPECT_EQ(alone.shares[1].time_ns, 400);
    EXPECT_EQ(alone.limiter, "latency");
    EXPECT_EQ(without_events(launch()).limiter, "launch"); // 1500 of 2900
}

TEST(WithoutEvents, ALaunchThatWasNotPredictedStaysAsItIs) {
    LaunchRecord record = launch();
    record.metrics.clear();
    EXPECT_EQ(without_events(record).time_ns.value, 6500);
    EXPECT_EQ(without_events(record).limiter, "launch");
}

} // namespace apod::model
