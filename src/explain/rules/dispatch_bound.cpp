// Blocks that do so little that starting them sets the time.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::explain {

void dispatch_bound(const Context& context, Findings& findings) {
    const double busy = share_ns(context.launch, "dispatch");
    const double time = context.launch.time_ns.value;
    if (time <= 0 || busy < 0.4 * time || largest_share(context).name != "dispatch") return;
    const double blocks = static_cast<double>(context.launch.grid.count());
    const std::uint64_t threads = context.launch.block.count();
    constexpr double fewer = 4;
    Finding finding;
    finding.rule = "dispatch-bound";
    finding.title = "Blocks end as fast as they can be started";
    finding.evidence =
        fmt::format("starting {:.0f} blocks of {} threads takes {:.2f} us ({:.0f} % of the time), at {:.2f} blocks a clock; a "
                    "warp executes {:.0f} instructions",
                    blocks, threads, busy / 1000, 100 * busy / time, context.gpu.launch.blocks_per_clk,
                    context.metric(model::metric::warp_instructions) / std::max(1.0, blocks * static_cast<double>((threads + 31) / 32)));
    finding.gain_ns = gain_ns(context.launch, {{"dispatch", 1 / fewer}});
    const double fit = static_cast<double>(std::max(1u, context.launch.occupancy.blocks_per_sm)) * context.gpu.sm_count;
    finding.advice =
        fmt::format("Let each thread do several elements (four, as float4 or rows below each other), or as many blocks as fit at "
                    "once ({:.0f}) walk over the work (grid-stride loop){}.",
                    fit, threads < 256 ? "; larger blocks (256 threads) need fewer starts too" : "");
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
