// Warps that execute with many lanes switched off.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

namespace apod::explain {

namespace {

double idle_lanes(const MetricMap& metrics) {
    using namespace model;
    return 32 * value_or_zero(metrics, metric::warp_instructions) - value_or_zero(metrics, metric::thread_instructions);
}

} // namespace

void divergence(const Context& context, Findings& findings) {
    using namespace model;
    const double warps = context.metric(metric::warp_instructions);
    const double lanes = warps > 0 ? context.metric(metric::thread_instructions) / warps : 32;
    if (lanes >= 24) return;
    const bool one_thread = context.launch.block.count() == 1;
    Finding finding;
    finding.rule = one_thread ? "one-thread-blocks" : "divergence";
    finding.title = one_thread ? "Blocks of one thread leave 31 of 32 lanes idle" : "Warps run with many lanes idle";
    finding.evidence = fmt::format("{:.1f} of 32 lanes active on average", lanes);
    if (!one_thread) place(finding, worst_line(context.launch, idle_lanes));
    const double left = lanes / 32;
    Changes changes = {{"issue", left}, {"fma", left}, {"alu", left}, {"fp64", left}, {"xu", left}};
    if (one_thread)
        for (const char* name : {"latency", "lsu", "shared", "port"}) changes[name] = left;
    finding.gain_ns = gain_ns(context.launch, changes);
    finding.advice = one_thread
                         ? "Give each thread a part of the work: at least 128 threads a block, a multiple of 32."
                         : "Let the threads of a warp take the same way: order the data by case, move the condition to whole warps, or "
                           "replace short branches by selects.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
