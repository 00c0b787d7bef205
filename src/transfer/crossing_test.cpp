#include "transfer/crossing.hpp"

#include <gtest/gtest.h>

namespace apod::transfer {

TEST(Crossing, LiesWhereTheTwoLinesMeet) {
    // The champion takes 1 ns a byte, the challenger 1000 ns and no more: they meet at 1000 bytes.
    const Race races[] = {{100, 1000, 100}, {10000, 1000, 10000}};
    const Crossing found = crossing(races);
    ASSERT_TRUE(found.bytes);
    EXPECT_NEAR(*found.bytes, 1000, 1e-6);
    EXPECT_FALSE(found.always);
}

TEST(Crossing, IsTheLastOne) {
    const Race races[] = {{1, 1, 2}, {2, 3, 2}, {4, 1, 2}, {8, 1, 2}}; // wins, loses, wins, wins
    const Crossing found = crossing(races);
    ASSERT_TRUE(found.bytes);
    EXPECT_GT(*found.bytes, 2);
    EXPECT_LT(*found.bytes, 4);
}

TEST(Crossing, IsNowhereWhereTheChallengerLosesAtTheEnd) {
    const Race races[] = {{1, 1, 2}, {2, 3, 2}};
    EXPECT_FALSE(crossing(races).bytes);
    EXPECT_FALSE(crossing({}).bytes);
}

TEST(Crossing, IsTheSmallestSizeWhereTheChallengerAlwaysWins) {
    const Race races[] = {{64, 1, 2}, {128, 1, 2}};
    const Crossing found = crossing(races);
    EXPECT_TRUE(found.always);
    EXPECT_EQ(found.bytes, 64);
}

TEST(Crossing, IgnoresSizesThatOneSideWasNotMeasuredAt) {
    const Race races[] = {{1, 2, 1}, {10, 2, 10}, {100, 2, std::nullopt}};
    EXPECT_TRUE(crossing(races).bytes);
    const Race unknown[] = {{1, std::nullopt, 1}};
    EXPECT_FALSE(crossing(unknown).bytes);
}

TEST(Crossing, OfAllPairsOfAVersus) {
    Versus versus;
    for (const double size : {1e3, 1e4, 1e5, 1e6}) {
        VersusPoint point;
        point.bytes = static_cast<std::uint64_t>(size);
        point.one_core_ns = size;
        point.all_cores_ns = 2000 + size / 10;
        point.kernel_ns = 5000;
        point.pinned_ns = 25000 + size / 50;
        versus.points.push_back(point);
    }
    find_crossings(versus);
    EXPECT_NEAR(versus.kernel_over_one.bytes.value(), 5000, 200);
    EXPECT_NEAR(versus.kernel_over_all.bytes.value(), 30000, 7000); // not a straight line in log-log
    EXPECT_GT(versus.pinned_over_one.bytes.value(), versus.kernel_over_one.bytes.value());
    EXPECT_TRUE(versus.pinned_over_all.bytes);
    EXPECT_FALSE(versus.pageable_over_one.bytes); // not measured
}

} // namespace apod::transfer
