// One warp has far more to do than the others, and the launch lasts as long as it does.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"
#include "model/metric_registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apod::explain {

void uneven_warps(const Context& context, Findings& findings) {
    const double longest = context.metric(model::metric::longest_warp);
    const double time = context.launch.time_ns.value - share_ns(context.launch, "launch");
    // What the others wait for anyway, wave after wave, is no shorter with even warps.
    const double left = std::max(1.0, std::ceil(context.metric(model::metric::waves_per_sm))) / std::max(longest, 1.0);
    if (longest < 2 || left > 0.5 || time <= 0 || share_ns(context.launch, "latency") < 0.5 * time) return;
    Finding finding;
    finding.rule = "uneven-warps";
    finding.title = "A few warps have most of the work";
    finding.evidence =
        fmt::format("the longest warp executes {:.0f} times the average warp's instructions, and alone takes {:.0f} % of the kernel's time",
                    longest, 100 * std::min(1.0, share_ns(context.launch, "latency") / time));
    finding.gain_ns = gain_ns(context.launch, {{"latency", left}});
    finding.advice =
        "Give every warp the same amount of work, not the same number of rows or objects: several warps or blocks for a long one, "
        "or let each find its equal part by a search in the prefix sums of the sizes (merge path).";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
