// Neither arithmetic nor memory is busy: warps wait.
#include "explain/gain.hpp"
#include "explain/rules/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace apod::explain {

void latency_bound(const Context& context, Findings& findings) {
    const double time = context.launch.time_ns.value - share_ns(context.launch, "launch");
    if (context.launch.shares.empty() || time <= 0) return;
    double busiest = 0;
    std::string name;
    for (const LimiterShare& share : context.launch.shares) {
        if (share.name == "latency" || share.name == "launch" || share.name == "dispatch") continue;
        if (share.time_ns <= busiest) continue;
        busiest = share.time_ns;
        name = share.name;
    }
    if (busiest > 0.6 * time || share_ns(context.launch, "latency") < 0.5 * time) return;
    Finding finding;
    finding.rule = "latency-bound";
    finding.title = "Warps mostly wait";
    finding.evidence = fmt::format("waiting takes {:.0f} % of the kernel's time; the busiest unit ({}) is busy {:.0f} % of it",
                                   100 * std::min(1.0, share_ns(context.launch, "latency") / time), name, 100 * busiest / time) +
                       waits_text(context);
    place_of_waits(context, finding);
    finding.gain_ns = gain_ns(context.launch, {{"latency", 0.5}});
    finding.advice = waits_advice(context);
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
