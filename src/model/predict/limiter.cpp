#include "model/predict/limiter.hpp"

#include <algorithm>

namespace apod::model {

void sort_shares(std::vector<LimiterShare>& shares) {
    std::stable_sort(shares.begin(), shares.end(), [](const LimiterShare& a, const LimiterShare& b) { return a.time_ns > b.time_ns; });
}

std::string limiter_of(const std::vector<LimiterShare>& shares) {
    for (const LimiterShare& share : shares)
        if (share.name != "launch" || share.fraction > 0.5) return share.name;
    return {};
}

} // namespace apod::model
