// Fewer blocks than the GPU has SMs.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

#include <cmath>

namespace apod::explain {

namespace {

// What the busiest SM would have to do of what it does now, were the same warps dealt to the SMs one by one.
double left_of_sm_time(const LaunchRecord& launch, double blocks, double sms) {
    const double warps_a_block = std::ceil(static_cast<double>(launch.block.count()) / 32);
    const double now = std::ceil(blocks / sms) * warps_a_block;
    return std::ceil(blocks * warps_a_block / sms) / now;
}

// Of the warps that fit an SM, the share that a grid of less than two blocks for each gives it: with more, each has less to do, and what
// one waits for others hide. 1: enough of them.
double share_of_warps(const LaunchRecord& launch, double blocks, double sms) {
    const double fit = launch.occupancy.warps_per_sm;
    const double there = blocks * std::ceil(static_cast<double>(launch.block.count()) / 32) / sms;
    return fit > 2 * there ? there / fit : 1;
}

} // namespace

void grid_too_small(const Context& context, Findings& findings) {
    const double blocks = static_cast<double>(context.launch.grid.count());
    const double sms = context.gpu.sm_count;
    if (blocks >= 2 * sms) return;
    const bool idle = blocks < sms;
    Finding finding;
    finding.rule = "grid-too-small";
    finding.title = idle ? "The grid is too small to fill the GPU" : "The grid is small: fewer than two blocks for each SM";
    finding.evidence =
        fmt::format("{:.0f} blocks for {:.0f} SMs{}", blocks, sms,
                    idle ? fmt::format("; {:.0f} SMs ({:.0f} %) have nothing to do", sms - blocks, 100 * (1 - blocks / sms)) : "");
    const double left = idle ? blocks / sms : left_of_sm_time(context.launch, blocks, sms);
    const double warps = idle ? 1 : share_of_warps(context.launch, blocks, sms);
    if (warps < 1)
        finding.evidence += fmt::format("; on average {:.0f} warps an SM, where {} fit", warps * context.launch.occupancy.warps_per_sm,
                                        context.launch.occupancy.warps_per_sm);
    Changes changes;
    for (const std::string_view name : shares_of_sm) changes.emplace(name, idle || name != "latency" ? left : warps);
    finding.gain_ns = gain_ns(context.launch, changes);
    finding.advice =
        "Split the work into more threads (an element instead of a row each) and smaller blocks, so that every SM has several blocks.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
