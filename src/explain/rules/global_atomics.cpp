// Updates from all over the chip that meet at few addresses of global memory.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::explain {

namespace {

double global_requests(const MetricMap& metrics) {
    using namespace model;
    return value_or_zero(metrics, metric::global_atomic_requests) + value_or_zero(metrics, metric::global_reduction_requests);
}

} // namespace

void global_atomics(const Context& context, Findings& findings) {
    using namespace model;
    const double time = context.launch.time_ns.value;
    const double busy = share_ns(context.launch, "atomics");
    const double lanes = std::min(context.metric(metric::atomic_lanes), 32 * global_requests(context.launch.metrics));
    if (time <= 0 || busy < 0.25 * time || lanes <= 0) return;
    // If a block on each SM brought each word once.
    constexpr double word_bytes = 4;
    const double words = context.metric(metric::footprint_write_bytes) / word_bytes;
    const double blocks = std::min<double>(static_cast<double>(context.launch.grid.count()), context.gpu.sm_count);
    const double left = std::min(1.0, words * blocks / lanes);
    Finding finding;
    finding.rule = "global-atomics";
    finding.title = "Atomics wait for each other at few addresses of global memory";
    finding.evidence = fmt::format("{:.0f} updates of at most {:.0f} words; L2 works on them for {:.0f} % of the time", lanes, words,
                                   100 * std::min(1.0, busy / time));
    place(finding, worst_line(context.launch, global_requests));
    finding.gain_ns = gain_ns(context.launch, {{"atomics", left}, {"l2 writes", left}, {"l2 reads", left}, {"latency", left}});
    finding.advice = context.metric(metric::shared_atomic_requests) > 0
                         ? "Let a block do more before it brings its sums to global memory: fewer blocks that walk over the work "
                           "(grid-stride loop), each with its sums in shared memory."
                         : "Let each block have a copy in shared memory, update that, and add it to global memory once at the block's end; "
                           "use few blocks that walk over the work (grid-stride loop).";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
