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

LaunchRecord without_events(LaunchRecord launch) {
    const auto kernel = launch.metrics.find("gpu__time_duration.sum");
    if (kernel == launch.metrics.end() || kernel->second.value <= 0) return launch;
    const double events_ns = launch.time_ns.value - kernel->second.value;
    launch.time_ns = kernel->second;
    if (launch.shares.empty()) return launch;
    for (LimiterShare& share : launch.shares) {
        if (share.name == "launch") share.time_ns = std::max(0.0, share.time_ns - events_ns);
        share.fraction = share.time_ns / launch.time_ns.value;
    }
    sort_shares(launch.shares);
    launch.limiter = limiter_of(launch.shares);
    return launch;
}

} // namespace apod::model
