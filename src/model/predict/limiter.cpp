#include "model/predict/limiter.hpp"

#include <algorithm>

namespace apod::model {

void sort_shares(std::vector<LimiterShare>& shares) {
    std::stable_sort(shares.begin(), shares.end(), [](const LimiterShare& a, const LimiterShare& b) { return a.time_ns > b.time_ns; });
}

std::string limiter_of(const std::vector<LimiterShare>& shares) { return shares.empty() ? std::string() : shares.front().name; }

} // namespace apod::model
