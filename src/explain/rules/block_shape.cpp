// A block size that does not fill its last warp.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

namespace apod::explain {

void block_shape(const Context& context, Findings& findings) {
    const std::uint64_t threads = context.launch.block.count();
    if (threads % 32 == 0 || threads == 1) return;
    const std::uint64_t warps = (threads + 31) / 32;
    Finding finding;
    finding.rule = "block-not-multiple-of-32";
    finding.title = "The block does not fill its last warp";
    finding.evidence = fmt::format("{} threads make {} warps, the last with {} of 32 lanes", threads, warps, threads % 32);
    const double left = static_cast<double>(threads) / (32.0 * static_cast<double>(warps));
    finding.gain_ns = gain_ns(context.launch, {{"issue", left}, {"fma", left}, {"alu", left}, {"fp64", left}});
    finding.advice = fmt::format("Use a multiple of 32, {} for example.", 32 * warps);
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
