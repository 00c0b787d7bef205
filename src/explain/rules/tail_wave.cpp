// A last wave of blocks that leaves much of the GPU idle.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

#include <cmath>

namespace apod::explain {

void tail_wave(const Context& context, Findings& findings) {
    const double waves = context.metric(model::metric::waves_per_sm);
    const double full = std::floor(waves);
    const double rest = waves - full;
    if (full < 1 || rest == 0 || rest > 0.5 || 1 / (1 + full) < 0.2) return;
    Finding finding;
    finding.rule = "tail-wave";
    finding.title = "The last wave of blocks is mostly empty";
    finding.evidence = fmt::format("{:.2f} waves: {:.0f} full and one filled to {:.0f} %", waves, full, 100 * rest);
    Changes changes;
    for (const std::string_view name : shares_of_sm) changes.emplace(name, waves / (full + 1));
    finding.gain_ns = gain_ns(context.launch, changes);
    finding.advice =
        "Choose block and grid so that the blocks fill whole waves, use smaller blocks, or let a fixed number of blocks walk over the "
        "work (grid-stride loop).";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
