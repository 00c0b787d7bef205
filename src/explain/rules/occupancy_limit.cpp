// Too few warps can be resident on an SM to hide latency.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::explain {

namespace {

std::string advice(const std::string& limiter) {
    if (limiter == "registers") return "Use fewer registers a thread (__launch_bounds__, smaller unrolling) or smaller blocks.";
    if (limiter == "shared") return "Use less shared memory a block: a smaller tile, or the same tile for more threads.";
    if (limiter == "blocks") return "Use larger blocks: the number of resident blocks is the limit, not that of threads.";
    return "Use a block size that divides the SM's threads: 128 or 256.";
}

} // namespace

void occupancy_limit(const Context& context, Findings& findings) {
    const OccupancyRecord& occupancy = context.launch.occupancy;
    if (occupancy.max_warps_per_sm == 0 || occupancy.warps_per_sm == 0) return;
    const double fraction = static_cast<double>(occupancy.warps_per_sm) / occupancy.max_warps_per_sm;
    // With a single wave or less, the grid and not the block decides how many warps there are.
    if (fraction >= 0.8 || context.metric(model::metric::waves_per_sm) <= 1) return;
    Finding finding;
    finding.rule = "low-occupancy";
    finding.title = "Few warps fit on an SM";
    finding.evidence = fmt::format("{} of {} warps ({:.0f} %), limited by {}", occupancy.warps_per_sm, occupancy.max_warps_per_sm,
                                   100 * fraction, occupancy.limiter);
    finding.gain_ns = gain_ns(context.launch, {{"latency", fraction}});
    finding.advice = advice(occupancy.limiter);
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
