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

// Whether more of the requests are for shared memory: of the line, or of the launch where lines are not known.
bool in_shared_memory(const MetricMap& metrics) {
    using namespace model;
    return value_or_zero(metrics, metric::shared_atomic_requests) >
           value_or_zero(metrics, metric::global_atomic_requests) + value_or_zero(metrics, metric::global_reduction_requests);
}

} // namespace

void atomic_contention(const Context& context, Findings& findings) {
    const double per_address = context.metric(model::metric::atomic_lanes_per_address);
    if (per_address < 4) return;
    const LineRecord* line = worst_line(context.launch, collisions);
    const bool shared = in_shared_memory(line != nullptr ? line->metrics : context.launch.metrics);
    Finding finding;
    finding.rule = "atomic-contention";
    finding.title = shared ? "Lanes of a warp update the same addresses of shared memory" : "Lanes of a warp update the same addresses";
    finding.evidence = fmt::format("{:.1f} lanes for each address and request, {:.0f} updates in all", per_address,
                                   context.metric(model::metric::atomic_lanes));
    place(finding, line);
    const double left = 1 / per_address;
    finding.gain_ns = shared ? gain_ns(context.launch, {{"lsu", left}, {"shared", left}, {"latency", left}})
                             : gain_ns(context.launch, {{"atomics", left}, {"l2 writes", left}, {"lsu", left}});
    finding.advice = shared ? "Add up within the warp first (__reduce_add_sync; __match_any_sync where lanes differ in their address) and "
                              "update once for each address, or give groups of lanes copies of their own and add those up at the end."
                            : "Add up within the warp (__reduce_add_sync, shuffles) or the block (shared memory) first and update once.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
