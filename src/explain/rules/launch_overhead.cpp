// The launch itself takes longer than the work.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

namespace apod::explain {

void launch_overhead(const Context& context, Findings& findings) {
    const double overhead = share_ns(context.launch, "launch");
    const double time = context.launch.time_ns.value;
    const bool largest = overhead > 0 && overhead >= largest_share(context).time_ns;
    if (time <= 0 || (overhead < 0.5 * time && !largest)) return;
    Finding finding;
    finding.rule = "launch-overhead";
    finding.title = overhead < 0.5 * time ? "Launching takes longer than any part of the work" : "Launching takes longer than the work";
    finding.evidence = fmt::format("{:.1f} us of {:.1f} us", overhead / 1000, time / 1000);
    finding.advice = "Give one launch more work, fuse it with its neighbours, or record the launches in a CUDA graph.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
