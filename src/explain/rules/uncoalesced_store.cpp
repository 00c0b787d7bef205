// Stores whose lanes lie so far apart that a request touches more sectors than its bytes fill.
#include "explain/gain.hpp"
#include "explain/rules/coalescing.hpp"

#include <fmt/format.h>

namespace apod::explain {

void uncoalesced_store(const Context& context, Findings& findings) {
    using namespace model;
    const double sectors = context.metric(metric::global_store_sectors);
    const double ideal = context.metric(metric::ideal_store_sectors);
    const double requests = context.metric(metric::global_store_requests);
    if (!asks_for_too_many(context, stores) || only_misaligned(context, stores)) return;
    const double unit = share_of_wavefronts(context, stores);
    const double left = ideal / sectors;
    Finding finding;
    finding.rule = "uncoalesced-store";
    finding.title = "Stores are not coalesced";
    finding.evidence = fmt::format("{:.1f} sectors of 32 B for each store request where {:.1f} would hold the {:.0f} B it writes",
                                   sectors / requests, ideal / requests, context.metric(metric::global_store_bytes) / requests);
    place(finding, worst_line_of(context, stores));
    const double unit_left = 1 - unit * (1 - left);
    // A whole line costs L2 as much as one part of a sector: 4 sectors of a store go in one packet.
    finding.gain_ns =
        gain_ns(context.launch, {{"l2 writes", left / 4 + left * left}, {"port", left}, {"lsu", unit_left}, {"shared", unit_left}});
    finding.advice = "Let neighbouring threads write neighbouring addresses. Where reads and writes cannot both run along rows, as in a "
                     "transposition, stage a tile through shared memory: read it by rows, synchronise, write it by rows.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
