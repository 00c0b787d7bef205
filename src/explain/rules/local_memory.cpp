// Registers spilled to, or arrays kept in, local memory, which is memory like any other.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

namespace apod::explain {

namespace {

double sectors(const MetricMap& metrics) {
    using namespace model;
    return value_or_zero(metrics, metric::local_load_sectors) + value_or_zero(metrics, metric::local_store_sectors);
}

} // namespace

void local_memory(const Context& context, Findings& findings) {
    using namespace model;
    const double local = sectors(context.launch.metrics);
    if (local == 0) return;
    const double global = context.metric(metric::global_load_sectors) + context.metric(metric::global_store_sectors);
    Finding finding;
    finding.rule = "local-memory";
    finding.title = "Threads use local memory";
    finding.evidence = fmt::format("{:.0f} sectors of local loads and stores, {:.0f} % of the sectors of the launch", local,
                                   100 * local / (local + global));
    place(finding, worst_line(context.launch, sectors));
    const double stores = context.metric(metric::local_store_sectors);
    const double all_stores = stores + context.metric(metric::global_store_sectors);
    if (all_stores > 0) {
        const double left = 1 - stores / all_stores;
        finding.gain_ns = gain_ns(context.launch, {{"l2 writes", left}, {"port", left}});
    }
    finding.advice =
        "Index local arrays with constants (unroll the loops over them), keep them small, or put them in shared memory; for spills, "
        "use smaller blocks or raise the register bound of __launch_bounds__.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
