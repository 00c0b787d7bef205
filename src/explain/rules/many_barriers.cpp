// A barrier every few instructions: a reduction that goes step by step through shared memory.
#include "explain/gain.hpp"
#include "explain/rules/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apod::explain {

namespace {

// What lines with barriers and loads of shared memory issue.
double issued_by_steps(const LaunchRecord& launch) {
    using namespace model;
    double sum = 0;
    for (const LineRecord& line : launch.lines)
        if (value_or_zero(line.metrics, metric::wait_barriers) + value_or_zero(line.metrics, metric::wait_shared) > 0)
            sum += value_or_zero(line.metrics, metric::issued);
    return sum;
}

} // namespace

void many_barriers(const Context& context, Findings& findings) {
    using namespace model;
    const double blocks = static_cast<double>(context.launch.grid.count());
    const double threads = static_cast<double>(context.launch.block.count());
    const double warps = std::ceil(threads / 32);
    const double each = context.metric(metric::barriers) / blocks; // a block
    const double issued = context.metric(metric::issued);
    const double waits = all_waits(context.launch.metrics);
    if (each < 8 || threads < 64 || issued <= 0 || waits <= 0) return;
    const double between = issued / (blocks * warps * each);
    if (between >= 40) return;
    Finding finding;
    finding.rule = "many-barriers";
    finding.title = "Warps meet at a barrier every few instructions";
    finding.evidence =
        fmt::format("{:.0f} barriers a block, one for every {:.0f} instructions of a warp; {:.0f} % of what a warp waits for by "
                    "itself is barriers",
                    each, between, 100 * context.metric(metric::wait_barriers) / waits);
    place(finding, worst_line(context.launch, [](const MetricMap& metrics) { return value_or_zero(metrics, metric::wait_barriers); }));
    // Of log2(threads) steps of a tree, those within a warp: five.
    const double gone = std::min(0.8, 5 / std::log2(threads));
    const double shared = all_wavefronts(context) > 0 ? context.metric(metric::shared_wavefronts) / all_wavefronts(context) : 0;
    finding.gain_ns = gain_ns(context.launch, {{"latency", 1 - gone * context.metric(metric::wait_barriers) / waits},
                                               {"shared", 1 - gone * shared},
                                               {"lsu", 1 - gone * shared},
                                               {"issue", 1 - gone * issued_by_steps(context.launch) / issued}});
    finding.advice =
        "Reduce within each warp first by shuffles (__shfl_down_sync, for integers __reduce_add_sync), which need no barrier and no "
        "shared memory; then one barrier, and the first warp reduces the sums of the warps. Or let a warp do what a block does.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
