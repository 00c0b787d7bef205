#include "model/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace apod::model {

namespace {

// 0.975 quantiles of Student's t for 1 to 15 degrees of freedom.
constexpr std::array<double, 15> quantiles = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                              2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};

} // namespace

double sampling_error(const std::vector<double>& totals_of_groups, double share) {
    const std::size_t count = totals_of_groups.size();
    if (count < 2 || share >= 1) return 0;
    double sum = 0;
    for (const double total : totals_of_groups) sum += total;
    const double mean = sum / static_cast<double>(count);
    if (mean <= 0) return 0;
    double squares = 0;
    for (const double total : totals_of_groups) squares += (total - mean) * (total - mean);
    const double error_of_mean = std::sqrt(squares / static_cast<double>(count - 1) / static_cast<double>(count));
    const double t = quantiles[std::min(count - 2, quantiles.size() - 1)];
    return t * error_of_mean / mean * std::sqrt(1 - share);
}

double both(double a, double b) { return std::sqrt(a * a + b * b); }

} // namespace apod::model
