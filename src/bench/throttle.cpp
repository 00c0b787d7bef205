#include "bench/throttle.hpp"

#include "base/units.hpp"
#include "bench/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::bench {
namespace {

double usual_clock(const std::vector<Sample>& samples) {
    std::vector<double> clocks;
    for (const Sample& sample : samples)
        if (sample.clock_mhz > 0) clocks.push_back(sample.clock_mhz);
    std::sort(clocks.begin(), clocks.end());
    return clocks.empty() ? 0 : quantile(clocks, 0.75);
}

} // namespace

Kept drop_throttled(const std::vector<Sample>& samples, const ThrottleOptions& options) {
    const double usual = usual_clock(samples);
    Kept kept;
    for (const Sample& sample : samples) {
        const bool slow = sample.clock_mhz > 0 && sample.clock_mhz < options.lowest_clock * usual;
        if (!sample.throttled && !slow) kept.samples.push_back(sample);
    }
    kept.dropped = samples.size() - kept.samples.size();
    if (kept.dropped == 0) return kept;
    const double share = static_cast<double>(kept.dropped) / static_cast<double>(samples.size());
    if (share > options.most_dropped || kept.samples.empty()) {
        kept.note =
            fmt::format("{} of the {} samples ran with a clock that heat or power held down; that is this GPU's normal state now, so "
                        "none was dropped",
                        kept.dropped, samples.size());
        kept.samples = samples;
        kept.dropped = 0;
        return kept;
    }
    kept.note = fmt::format("{} of {} samples ({}) were dropped: heat or power held the clock down", kept.dropped, samples.size(),
                            format_percent(share));
    return kept;
}

} // namespace apod::bench
