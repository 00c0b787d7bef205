#include "explain/explain.hpp"

#include "explain/rules/rule.hpp"

#include <algorithm>

namespace apod::explain {

namespace {

constexpr Rule rules[] = {uncoalesced_load, uncoalesced_store, bank_conflicts, local_memory,      divergence,   grid_too_small,  tail_wave,
                          occupancy_limit,  latency_bound,     block_shape,    atomic_contention, unused_bytes, launch_overhead, slow_fp64};

} // namespace

std::vector<Finding> explain(const LaunchRecord& launch, const arch::Gpu& gpu) {
    Findings findings;
    const Context context{launch, gpu};
    for (const Rule rule : rules) rule(context, findings);
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.gain_ns.value_or(-1) > b.gain_ns.value_or(-1); });
    return findings;
}

} // namespace apod::explain
