// Atomics on shared memory whose lanes meet in the same banks: as their addresses are data, no padding parts them.
#include "explain/gain.hpp"
#include "explain/rules/conflicts.hpp"

#include <fmt/format.h>

namespace apod::explain {

void shared_atomic_conflicts(const Context& context, Findings& findings) {
    using namespace model;
    if (!has_conflicts(context) || !conflicts_of_atomics(context)) return;
    const double lost = context.metric(metric::shared_atomic_conflicts);
    const double requests = context.metric(metric::shared_atomic_requests);
    Finding finding;
    finding.rule = "shared-atomic-conflicts";
    finding.title = "Atomics on shared memory meet in the same banks";
    finding.evidence = fmt::format("{:.0f} repeats for {:.0f} requests of atomics", lost, requests);
    place(finding,
          worst_line(context.launch, [](const MetricMap& metrics) { return value_or_zero(metrics, metric::shared_atomic_conflicts); }));
    const double left = 1 - lost / all_wavefronts(context);
    finding.gain_ns = gain_ns(context.launch, {{"lsu", left}, {"shared", left}});
    finding.advice = "Where the data choose the address, padding changes nothing: give lanes copies of their own side by side "
                     "(bins[i][threadIdx.x % 8], 32 where they fit) and add those up at the end, or update once for neighbours of equal "
                     "value.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
