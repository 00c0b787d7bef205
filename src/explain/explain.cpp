#include "explain/explain.hpp"

#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace apod::explain {

namespace {

constexpr Rule rules[] = {uncoalesced_load,
                          uncoalesced_store,
                          misaligned_load,
                          misaligned_store,
                          bank_conflicts,
                          local_memory,
                          divergence,
                          grid_too_small,
                          tail_wave,
                          uneven_warps,
                          occupancy_limit,
                          latency_bound,
                          block_shape,
                          atomic_contention,
                          global_atomics,
                          unused_bytes,
                          shared_atomic_conflicts,
                          launch_overhead,
                          slow_fp64,
                          accidental_double,
                          special_functions,
                          reloads,
                          issue_bound,
                          dispatch_bound,
                          many_barriers};

// Rules that estimate nothing: what they found is worth a word by itself.
constexpr std::string_view without_estimate[] = {"launch-overhead"};

// A launch whose time has parts, a finding that is no part of them: repairing it would change next to nothing.
bool gains_nothing(const LaunchRecord& launch, const Finding& finding) {
    if (launch.shares.empty() || finding.gain_ns) return false;
    return std::find(std::begin(without_estimate), std::end(without_estimate), finding.rule) == std::end(without_estimate);
}

} // namespace

bool is_defect(const Finding& finding) { return finding.rule != at_its_peak && finding.rule != limited_by; }

std::vector<Finding> explain(const LaunchRecord& launch, const arch::Gpu& gpu) {
    Findings findings;
    const Context context{launch, gpu};
    for (const Rule rule : rules) rule(context, findings);
    std::erase_if(findings, [&launch](const Finding& finding) { return gains_nothing(launch, finding); });
    if (findings.empty()) what_limits(context, findings);
    largest_first(findings);
    return findings;
}

} // namespace apod::explain
