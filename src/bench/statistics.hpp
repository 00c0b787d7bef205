// What is said about a set of samples. Nothing here assumes a distribution: times have a long tail to the right, steps where the clock
// changes, and sometimes two modes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace apod::bench {

// A closed interval and the confidence it really has (order statistics come in steps).
struct Interval {
    double low = 0;
    double high = 0;
    double confidence = 0; // 0.95 = 95 %
};

struct Summary {
    std::size_t samples = 0;
    double median = 0;
    double minimum = 0;
    double lower_quartile = 0;
    double upper_quartile = 0;
    double maximum = 0;
    double mean = 0;
    double relative_deviation = 0; // standard deviation over mean
    double correlation = 0;        // of neighbouring samples; above 0 the clock, heat or another process drifts
    Interval median_interval;      // of the true median, 95 % where there are enough samples
    bool two_modes = false;        // the samples fall into two groups with a gap between them

    // Half the interval's width over the median.
    [[nodiscard]] double noise() const;
};

// Quantile by linear interpolation between order statistics (Hyndman and Fan's type 7). 0 <= p <= 1; NaN of no values.
[[nodiscard]] double quantile(std::span<const double> sorted, double p);
[[nodiscard]] double median(std::vector<double> values);

// Standard deviation (n - 1) over mean; 0 of fewer than two values.
[[nodiscard]] double relative_deviation(std::span<const double> values);

// Correlation of each value with the next one, in the order they were taken, over ranks so that one outlier does not decide it.
[[nodiscard]] double neighbour_correlation(std::span<const double> values);

// The median's interval from the binomial distribution of how many samples lie below it (David and Nagaraja, Order Statistics, 7.1), which
// holds for any distribution. `correlation` above 0 counts the samples as n (1 - r) / (1 + r) of them. With too few values for
// `confidence` it is the whole range, and says how much that covers.
[[nodiscard]] Interval median_interval(std::span<const double> sorted, double confidence, double correlation = 0);

// Two groups with a gap between them that a single group does not have: the best split leaves less than a tenth of the variance, both
// groups hold a tenth of the samples, and the gap between the groups' quartiles is wider than the wider group's.
[[nodiscard]] bool has_two_modes(std::span<const double> sorted);

// Of values in the order they were taken.
[[nodiscard]] Summary summarise(std::span<const double> values);

} // namespace apod::bench
