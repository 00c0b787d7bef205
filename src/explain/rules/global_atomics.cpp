// Updates from all over the chip that meet at few addresses of global memory.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace apod::explain {

namespace {

double global_requests(const MetricMap& metrics) {
    using namespace model;
    return value_or_zero(metrics, metric::global_atomic_requests) + value_or_zero(metrics, metric::global_reduction_requests);
}

constexpr double most_threads = 1024; // a block

double ceil_div(double a, double b) { return std::ceil(a / b); }

// Blocks that would bring sums: as many threads on the GPU as now, in blocks as large as they can be.
double fewest_blocks(const Context& context) {
    const double blocks = static_cast<double>(context.launch.grid.count());
    const double threads = static_cast<double>(context.launch.block.count());
    const double sms = std::max(1u, context.gpu.sm_count);
    const double resident = std::max(1u, context.launch.occupancy.blocks_per_sm);
    const double on_an_sm = std::min(resident, ceil_div(blocks, sms)) * threads;
    return std::min(blocks, std::min(blocks, sms) * ceil_div(on_an_sm, most_threads));
}

std::string advice(const Context& context, double fewest) {
    const double blocks = static_cast<double>(context.launch.grid.count());
    const std::string keep =
        fewest < blocks ? fmt::format("as many threads as fit at once, in fewer, larger blocks ({:.0f} blocks of up to {:.0f} "
                                      "threads instead of {:.0f} of {}) that walk over the work (grid-stride loop): fewer blocks of "
                                      "the same size would leave fewer warps to hide the waiting",
                                      fewest, most_threads, blocks, context.launch.block.count())
                        : std::string("few blocks with many threads each, which walk over the work (grid-stride loop)");
    return context.metric(model::metric::shared_atomic_requests) > 0
               ? "Let a block do more before it brings its sums from shared to global memory: " + keep + "."
               : "Let each block have a copy in shared memory, update that, and add it to global memory once at the block's end; use " +
                     keep + ".";
}

} // namespace

void global_atomics(const Context& context, Findings& findings) {
    using namespace model;
    const double time = context.launch.time_ns.value;
    const double busy = share_ns(context.launch, "atomics");
    const double lanes = std::min(context.metric(metric::atomic_lanes), 32 * global_requests(context.launch.metrics));
    if (time <= 0 || busy < 0.25 * time || lanes <= 0) return;
    // If each of the fewest blocks brought each word once.
    constexpr double word_bytes = 4;
    constexpr double sector_bytes = 32;
    const double written = context.metric(metric::footprint_write_bytes);
    const double fewest = fewest_blocks(context);
    const double left = std::min(1.0, written / word_bytes * fewest / lanes);
    Finding finding;
    finding.rule = "global-atomics";
    finding.title = "Atomics wait for each other at few addresses of global memory";
    const double sectors = std::ceil(written / sector_bytes);
    finding.evidence = fmt::format("{:.0f} updates within {:.0f} sector{} of 32 B; L2 works on them for {:.0f} % of the time", lanes,
                                   sectors, sectors == 1 ? "" : "s", 100 * std::min(1.0, busy / time));
    place(finding, worst_line(context.launch, global_requests));
    // Not of the waiting: as many warps share it as before.
    finding.gain_ns = gain_ns(context.launch, {{"atomics", left}, {"l2 writes", left}, {"l2 reads", left}});
    finding.advice = advice(context, fewest);
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
