// Loads whose lanes lie so far apart that a request touches more sectors than its bytes fill.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

namespace apod::explain {

namespace {

double excess(const MetricMap& metrics) {
    return model::value_or_zero(metrics, model::metric::global_load_sectors) -
           model::value_or_zero(metrics, model::metric::ideal_load_sectors);
}

} // namespace

void uncoalesced_load(const Context& context, Findings& findings) {
    using namespace model;
    const double sectors = context.metric(metric::global_load_sectors);
    const double ideal = context.metric(metric::ideal_load_sectors);
    const double requests = context.metric(metric::global_load_requests);
    if (requests == 0 || sectors < 1.25 * ideal) return;
    // In a grid of one thread there is nothing to coalesce with.
    if (context.launch.block.count() < 2) return;
    const double wavefronts = context.metric(metric::shared_wavefronts) + context.metric(metric::global_load_wavefronts) +
                              context.metric(metric::global_store_wavefronts);
    const double unit = wavefronts > 0 ? context.metric(metric::global_load_wavefronts) / wavefronts : 0;
    const double left = ideal / sectors;
    Finding finding;
    finding.rule = "uncoalesced-load";
    finding.title = "Loads are not coalesced";
    finding.evidence = fmt::format("{:.1f} sectors of 32 B for each load request where {:.1f} would hold the {:.0f} B it asks for",
                                   sectors / requests, ideal / requests, context.metric(metric::global_load_bytes) / requests);
    place(finding, worst_line(context.launch, excess));
    const double unit_left = 1 - unit * (1 - left);
    finding.gain_ns = gain_ns(context.launch, {{"l2 reads", left}, {"lsu", unit_left}, {"shared", unit_left}});
    finding.advice =
        "Let neighbouring threads (threadIdx.x, x + 1) read neighbouring addresses: swap the roles of the indices, or read rows "
        "along the way they lie in memory into shared memory and take the columns from there.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
