#include "explain/rules/atomics.hpp"

#include "explain/gain.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::explain {

using namespace model;

namespace {

double turns_of(const MetricMap& metrics, std::string_view name, double requests) {
    const auto counted = metrics.find(std::string(name));
    if (counted != metrics.end()) return counted->second.value;
    return requests * value_or_zero(metrics, metric::atomic_lanes_per_address);
}

} // namespace

Turns global_turns(const MetricMap& metrics) {
    const double requests =
        value_or_zero(metrics, metric::global_atomic_requests) + value_or_zero(metrics, metric::global_reduction_requests);
    return {requests, turns_of(metrics, metric::global_atomic_turns, requests), 0};
}

Turns shared_turns(const MetricMap& metrics) {
    const double requests = value_or_zero(metrics, metric::shared_atomic_requests);
    const double passes = value_or_zero(metrics, metric::shared_wavefronts) - value_or_zero(metrics, metric::shared_load_wavefronts) -
                          value_or_zero(metrics, metric::shared_store_wavefronts);
    return {requests, turns_of(metrics, metric::shared_atomic_turns, requests), requests > 0 ? passes : 0};
}

double charged_passes(const Context& context) {
    const Turns turns = shared_turns(context.launch.metrics);
    return all_wavefronts(context) + std::max(0.0, turns.turns - turns.passes);
}

std::string busy_with(const Context& context, const Turns& turns) {
    const double unit = std::max(share_ns(context.launch, "shared"), share_ns(context.launch, "lsu"));
    const double time = context.launch.time_ns.value;
    if (unit <= 0 || time <= 0) return {};
    const double ns = unit * std::min(1.0, std::max(turns.turns, turns.passes) / charged_passes(context));
    return fmt::format("; shared memory works on them for {:.1f} us ({:.0f} % of the time)", ns / 1000, 100 * ns / time);
}

} // namespace apod::explain
