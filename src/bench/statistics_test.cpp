#include "bench/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace apod::bench {
namespace {

std::vector<double> sorted(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values;
}

std::vector<double> normal(std::size_t count, double mean, double deviation, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> distribution(mean, deviation);
    std::vector<double> values(count);
    for (double& value : values) value = distribution(random);
    return values;
}

} // namespace

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
    const std::vector<double> values = {1, 2, 3, 4};
    EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
    EXPECT_DOUBLE_EQ(quantile(values, 0.25), 1.75); // as R's default
    EXPECT_DOUBLE_EQ(quantile(values, 0.5), 2.5);
    EXPECT_DOUBLE_EQ(quantile(values, 1), 4);
    EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

TEST(MedianInterval, HasTheRanksOfTheBinomialTables) {
    std::vector<double> values(25);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i + 1);
    const Interval interval = median_interval(values, 0.95); // n = 25: the 8th and the 18th, 95.7 %
    EXPECT_EQ(interval.low, 8);
    EXPECT_EQ(interval.high, 18);
    EXPECT_NEAR(interval.confidence, 0.9567, 1e-4);
}

TEST(MedianInterval, OfTooFewSamplesIsTheRangeAndSaysWhatItCovers) {
    const Interval interval = median_interval(std::vector<double>{1, 2, 3}, 0.95);
    EXPECT_EQ(interval.low, 1);
    EXPECT_EQ(interval.high, 3);
    EXPECT_DOUBLE_EQ(interval.confidence, 0.75);
}

TEST(MedianInterval, CoversTheTrueMedianAsOftenAsItSays) {
    std::size_t covered = 0;
    constexpr std::size_t trials = 2000;
    for (std::size_t trial = 0; trial < trials; ++trial) {
        std::vector<double> values = normal(40, 0, 1, 1000 + trial);
        for (double& value : values) value = std::exp(value); // a long tail; the median is 1
        const Interval interval = median_interval(sorted(values), 0.95);
        covered += interval.low <= 1 && 1 <= interval.high ? 1 : 0;
    }
    EXPECT_GE(covered, trials * 93 / 100);
    EXPECT_LE(covered, trials * 99 / 100); // 96.2 % for n = 40
}

TEST(MedianInterval, IsWiderWhereNeighboursDependOnEachOther) {
    const std::vector<double> values = sorted(normal(200, 100, 1, 7));
    const Interval apart = median_interval(values, 0.95, 0);
    const Interval together = median_interval(values, 0.95, 0.8);
    EXPECT_GT(together.high - together.low, 2 * (apart.high - apart.low)); // as if there were 22 samples
}

TEST(NeighbourCorrelation, IsNearZeroForIndependentSamplesAndHighForADrift) {
    EXPECT_NEAR(neighbour_correlation(normal(2000, 100, 1, 3)), 0, 0.05);
    std::vector<double> drifting = normal(2000, 100, 0.1, 3);
    for (std::size_t i = 0; i < drifting.size(); ++i) drifting[i] += static_cast<double>(i) * 0.01;
    EXPECT_GT(neighbour_correlation(drifting), 0.9);
    EXPECT_EQ(neighbour_correlation(std::vector<double>(10, 5.0)), 0);
}

TEST(NeighbourCorrelation, IsNotDecidedByOneOutlier) {
    std::vector<double> values = normal(500, 100, 1, 5);
    values[250] = 1e6;
    EXPECT_NEAR(neighbour_correlation(values), 0, 0.1);
}

TEST(TwoModes, AreSeenWhereThereAreTwoAndNotWhereThereIsOne) {
    std::vector<double> two = normal(100, 100, 0.5, 1);
    const std::vector<double> slower = normal(60, 110, 0.5, 2);
    two.insert(two.end(), slower.begin(), slower.end());
    EXPECT_TRUE(has_two_modes(sorted(two)));
    EXPECT_FALSE(has_two_modes(sorted(normal(160, 100, 0.5, 1))));
    std::vector<double> tailed = normal(160, 0, 1, 9);
    for (double& value : tailed) value = std::exp(value);
    EXPECT_FALSE(has_two_modes(sorted(tailed)));
    EXPECT_FALSE(has_two_modes(std::vector<double>(100, 5.0)));
    EXPECT_FALSE(has_two_modes(std::vector<double>{1, 1, 1, 2, 2, 2})); // too few to tell
}

TEST(Summary, HoldsWhatTheSamplesSay) {
    const std::vector<double> values = {12, 10, 11, 10, 30};
    const Summary summary = summarise(values);
    EXPECT_EQ(summary.samples, 5U);
    EXPECT_DOUBLE_EQ(summary.median, 11);
    EXPECT_DOUBLE_EQ(summary.minimum, 10);
    EXPECT_DOUBLE_EQ(summary.lower_quartile, 10);
    EXPECT_DOUBLE_EQ(summary.upper_quartile, 12);
    EXPECT_DOUBLE_EQ(summary.maximum, 30);
    EXPECT_DOUBLE_EQ(summary.mean, 14.6);
    EXPECT_NEAR(summary.relative_deviation, 0.5924, 1e-4);
    EXPECT_NEAR(summary.noise(), 10.0 / 11, 1e-12); // five samples: the whole range
    EXPECT_EQ(summarise({}).samples, 0U);
}

} // namespace apod::bench
