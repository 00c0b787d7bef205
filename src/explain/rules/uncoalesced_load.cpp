// Loads whose lanes lie so far apart that a request touches more sectors than its bytes fill.
#include "explain/gain.hpp"
#include "explain/rules/coalescing.hpp"

#include <fmt/format.h>

namespace apod::explain {

void uncoalesced_load(const Context& context, Findings& findings) {
    using namespace model;
    const double sectors = context.metric(metric::global_load_sectors);
    const double ideal = context.metric(metric::ideal_load_sectors);
    const double requests = context.metric(metric::global_load_requests);
    if (!asks_for_too_many(context, loads) || only_misaligned(context, loads)) return;
    const double unit = share_of_wavefronts(context, loads);
    const double left = ideal / sectors;
    Finding finding;
    finding.rule = "uncoalesced-load";
    finding.title = "Loads are not coalesced";
    finding.evidence = fmt::format("{:.1f} sectors of 32 B for each load request where {:.1f} would hold the {:.0f} B it asks for",
                                   sectors / requests, ideal / requests, context.metric(metric::global_load_bytes) / requests);
    place(finding, worst_line_of(context, loads));
    const double unit_left = 1 - unit * (1 - left);
    finding.gain_ns = gain_ns(context.launch, {{"l2 reads", left}, {"lsu", unit_left}, {"shared", unit_left}});
    finding.advice =
        "Let neighbouring threads (threadIdx.x, x + 1) read neighbouring addresses: swap the roles of the indices, or read rows "
        "along the way they lie in memory into shared memory and take the columns from there.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
