// Atomics on shared memory whose lanes meet in the same banks: as their addresses are data, no padding parts them.
#include "explain/gain.hpp"
#include "explain/rules/atomics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::explain {

void shared_atomic_conflicts(const Context& context, Findings& findings) {
    using namespace model;
    const Turns turns = shared_turns(context.launch.metrics);
    const double least = std::max(turns.turns, turns.requests);
    const double lost = turns.passes - least;
    // Lanes that want one word take as many turns: another rule.
    if (turns.requests <= 0 || turns.turns >= turns.passes || lost < 0.1 * charged_passes(context)) return;
    Finding finding;
    finding.rule = "shared-atomic-conflicts";
    finding.title = "Atomics on shared memory meet in the same banks";
    finding.evidence = fmt::format("{:.1f} passes for each request of atomics where {:.1f} would do if its words were in different banks",
                                   turns.passes / turns.requests, least / turns.requests) +
                       busy_with(context, turns);
    place(finding,
          worst_line(context.launch, [](const MetricMap& metrics) { return value_or_zero(metrics, metric::shared_atomic_conflicts); }));
    const double left = 1 - lost / charged_passes(context);
    finding.gain_ns = gain_ns(context.launch, {{"lsu", left}, {"shared", left}});
    finding.advice = "Where the data choose the address, padding changes nothing: have a copy for each bank, so that a lane only meets its "
                     "own (bins[i][threadIdx.x % 32]), and add those up at the end, or update once for neighbours of equal value.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
