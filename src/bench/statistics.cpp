#include "bench/statistics.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace apod::bench {
namespace {

constexpr double usual_confidence = 0.95;
constexpr std::size_t fewest_for_modes = 20;

double mean_of(std::span<const double> values) {
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Ranks from 0; equal values share the mean of theirs.
std::vector<double> ranks_of(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
        for (std::size_t i = first; i < end; ++i) ranks[order[i]] = static_cast<double>(first + end - 1) / 2;
        first = end;
    }
    return ranks;
}

// The split that leaves the least variance within the two groups (Otsu's).
struct Split {
    std::size_t at = 0; // first of the upper group
    double left = 1;    // share of the variance that is left
};

Split best_split(std::span<const double> sorted) {
    const double mean = mean_of(sorted);
    double total = 0;
    for (const double value : sorted) total += (value - mean) * (value - mean);
    Split best;
    if (total <= 0) return best;
    const auto count = static_cast<double>(sorted.size());
    double below = 0;
    const double sum = mean * count;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        below += sorted[i - 1];
        const auto low = static_cast<double>(i);
        const double difference = below / low - (sum - below) / (count - low);
        const double left = 1 - low * (count - low) / count * difference * difference / total;
        if (left < best.left) best = {i, left};
    }
    return best;
}

} // namespace

double Summary::noise() const { return median > 0 ? (median_interval.high - median_interval.low) / 2 / median : 0; }

double quantile(std::span<const double> sorted, double p) {
    if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double place = std::clamp(p, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return quantile(values, 0.5);
}

double relative_deviation(std::span<const double> values) {
    const double mean = mean_of(values);
    if (values.size() < 2 || mean == 0) return 0;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1)) / mean;
}

double neighbour_correlation(std::span<const double> values) {
    if (values.size() < 3) return 0;
    const std::vector<double> ranks = ranks_of(values);
    const double mean = mean_of(ranks);
    double squares = 0;
    double products = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        squares += (ranks[i] - mean) * (ranks[i] - mean);
        if (i > 0) products += (ranks[i] - mean) * (ranks[i - 1] - mean);
    }
    return squares > 0 ? products / squares : 0;
}

Interval median_interval(std::span<const double> sorted, double confidence, double correlation) {
    if (sorted.empty()) return {};
    const auto count = static_cast<double>(sorted.size());
    const double r = std::clamp(correlation, 0.0, 0.99);
    const double independent = std::max(1.0, std::floor(count * (1 - r) / (1 + r)));
    const boost::math::binomial_distribution<double> below(independent, 0.5);
    // The interval from the k-th smallest to the k-th largest misses when fewer than k samples lie on one side: P(X <= k - 1) each side.
    double k = 0;
    while (k + 1 <= independent / 2 && 2 * boost::math::cdf(below, k) <= 1 - confidence) ++k;
    if (k == 0) return {sorted.front(), sorted.back(), 1 - 2 * std::pow(0.5, independent)};
    const double covered = 1 - 2 * boost::math::cdf(below, k - 1);
    // The same share of all samples where they count for fewer, rounded outwards.
    const auto skipped = static_cast<std::size_t>(std::floor((k - 1) / independent * count));
    return {sorted[skipped], sorted[sorted.size() - 1 - skipped], covered};
}

bool has_two_modes(std::span<const double> sorted) {
    if (sorted.size() < fewest_for_modes) return false;
    const Split split = best_split(sorted);
    const std::size_t fewest = sorted.size() / 10;
    if (split.left > 0.1 || split.at < fewest || sorted.size() - split.at < fewest) return false;
    const std::span<const double> low = sorted.first(split.at);
    const std::span<const double> high = sorted.subspan(split.at);
    const double widest = std::max(quantile(low, 0.75) - quantile(low, 0.25), quantile(high, 0.75) - quantile(high, 0.25));
    return quantile(high, 0.25) - quantile(low, 0.75) > widest;
}

Summary summarise(std::span<const double> values) {
    Summary summary;
    summary.samples = values.size();
    if (values.empty()) return summary;
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    summary.median = quantile(sorted, 0.5);
    summary.minimum = sorted.front();
    summary.lower_quartile = quantile(sorted, 0.25);
    summary.upper_quartile = quantile(sorted, 0.75);
    summary.maximum = sorted.back();
    summary.mean = mean_of(values);
    summary.relative_deviation = relative_deviation(values);
    summary.correlation = neighbour_correlation(values);
    summary.median_interval = median_interval(sorted, usual_confidence, summary.correlation);
    summary.two_modes = has_two_modes(sorted);
    return summary;
}

} // namespace apod::bench
