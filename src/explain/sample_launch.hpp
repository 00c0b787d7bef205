// For tests of rules: a launch with nothing wrong, to be spoilt, and what is found in it.
#pragma once

#include "explain/explain.hpp"
#include "model/metric_registry.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace apod::explain {

namespace metric = model::metric;

inline arch::Gpu gpu() {
    arch::Gpu result;
    result.name = "a GPU";
    result.sm_count = 100;
    result.throughput.fp32 = 128;
    result.throughput.fp64 = 2;
    return result;
}

inline void set(MetricMap& map, std::string_view name, double value) { map[std::string(name)] = {value, Source::counted, {}}; }

// A launch with nothing wrong: full warps, coalesced, several waves, DRAM busy.
inline LaunchRecord healthy() {
    LaunchRecord launch;
    launch.kernel = "k";
    launch.grid = {4000};
    launch.block = {256};
    launch.occupancy = {8, 64, 64, "warps"};
    launch.time_ns = {100000, Source::predicted, {}};
    launch.floor_ns = {60000, Source::theoretical, {}};
    launch.shares = {{"dram", 90000, 0.9}, {"latency", 20000, 0.2}, {"lsu", 20000, 0.2}, {"l2 writes", 10000, 0.1}, {"launch", 5000, 0.05}};
    for (const std::string_view name : {metric::global_load_requests, metric::global_store_requests}) set(launch.metrics, name, 1000);
    for (const std::string_view name :
         {metric::global_load_sectors, metric::global_store_sectors, metric::ideal_load_sectors, metric::ideal_store_sectors})
        set(launch.metrics, name, 4000);
    for (const std::string_view name : {metric::global_load_bytes, metric::global_store_bytes}) set(launch.metrics, name, 128000);
    for (const std::string_view name : {metric::global_load_wavefronts, metric::global_store_wavefronts}) set(launch.metrics, name, 1000);
    set(launch.metrics, metric::warp_instructions, 10000);
    set(launch.metrics, metric::thread_instructions, 320000);
    set(launch.metrics, metric::waves_per_sm, 5);
    model::recompute_ratios(launch.metrics);
    return launch;
}

// The same where nobody knows what its time is made of.
inline LaunchRecord unexplained() {
    LaunchRecord launch = healthy();
    launch.shares.clear();
    return launch;
}

inline std::vector<std::string> rules_of(const LaunchRecord& launch) {
    std::vector<std::string> rules;
    for (const Finding& finding : explain(launch, gpu())) rules.push_back(finding.rule);
    return rules;
}

inline bool has(const std::vector<std::string>& rules, const std::string& rule) {
    return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

inline Finding only(const LaunchRecord& launch, const std::string& rule) {
    for (Finding& finding : explain(launch, gpu()))
        if (finding.rule == rule) return finding;
    throw std::runtime_error("no finding " + rule); // a test that goes on would look at nothing
}

inline LineRecord line(std::uint32_t number, std::string_view name, double value) {
    LineRecord record;
    record.file = "k.cu";
    record.line = number;
    set(record.metrics, name, value);
    return record;
}

// Shares of a launch that mostly waits.
inline std::vector<LimiterShare> waiting() {
    return {{"latency", 90000, 0.9}, {"lsu", 20000, 0.2}, {"dram", 20000, 0.2}, {"launch", 5000, 0.05}};
}

} // namespace apod::explain
