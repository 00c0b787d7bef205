// Many lanes of a warp update one address.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

namespace apod::explain {

namespace {

double collisions(const MetricMap& metrics) {
    using namespace model;
    return value_or_zero(metrics, metric::atomic_lanes) - value_or_zero(metrics, metric::atomic_addresses);
}

} // namespace

void atomic_contention(const Context& context, Findings& findings) {
    const double per_address = context.metric(model::metric::atomic_lanes_per_address);
    if (per_address < 4) return;
    Finding finding;
    finding.rule = "atomic-contention";
    finding.title = "Lanes of a warp update the same addresses";
    finding.evidence = fmt::format("{:.1f} lanes for each address and request, {:.0f} updates in all", per_address,
                                   context.metric(model::metric::atomic_lanes));
    place(finding, worst_line(context.launch, collisions));
    finding.gain_ns = gain_ns(context.launch, {{"l2 writes", 1 / per_address}, {"lsu", 1 / per_address}, {"shared", 1 / per_address}});
    finding.advice = "Add up within the warp (__reduce_add_sync, shuffles) or the block (shared memory) first and update once.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
