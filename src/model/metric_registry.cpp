#include "model/metric_registry.hpp"

#include <algorithm>
#include <unordered_map>

namespace apod::model {

namespace {

MetricInfo sum(std::string_view name, std::string_view label, std::string_view unit = "") {
    return {name, label, unit, MetricKind::sum, {}, {}, 1};
}

MetricInfo ratio(std::string_view name, std::string_view label, std::string_view unit, std::string_view numerator,
                 std::string_view denominator, double scale = 1) {
    return {name, label, unit, MetricKind::ratio, numerator, denominator, scale};
}

MetricInfo property(std::string_view name, std::string_view label, std::string_view unit = "") {
    return {name, label, unit, MetricKind::property, {}, {}, 1};
}

void add_global(std::vector<MetricInfo>& list) {
    using namespace metric;
    list.insert(list.end(),
                {
                    sum(global_load_requests, "load requests"),
                    sum(global_store_requests, "store requests"),
                    sum(global_load_sectors, "load sectors"),
                    sum(global_store_sectors, "store sectors"),
                    ratio(load_sectors_per_request, "sectors/load", "", global_load_sectors, global_load_requests),
                    ratio(store_sectors_per_request, "sectors/store", "", global_store_sectors, global_store_requests),
                    sum(ideal_load_sectors, "ideal load sectors"),
                    sum(ideal_store_sectors, "ideal store sectors"),
                    sum(global_load_bytes, "bytes asked by loads", "B"),
                    sum(global_store_bytes, "bytes asked by stores", "B"),
                    ratio(load_bytes_per_sector, "load bytes used", "%", global_load_bytes, global_load_sectors, 100.0 / 32),
                    ratio(store_bytes_per_sector, "store bytes used", "%", global_store_bytes, global_store_sectors, 100.0 / 32),
                    sum(global_load_wavefronts, "load wavefronts"),
                    sum(global_store_wavefronts, "store wavefronts"),
                    sum(global_load_hits, "L1 hits of loads"),
                    ratio(load_hit_rate, "L1 hit rate of loads", "%", global_load_hits, global_load_sectors, 100),
                    sum(global_atomic_requests, "atomic requests"),
                    sum(global_atomic_sectors, "atomic sectors"),
                    sum(global_reduction_requests, "reduction requests"),
                    sum(global_reduction_sectors, "reduction sectors"),
                    sum(followed_loads, "loads of followed threads"),
                    sum(followed_reloads, "of them loaded before"),
                    ratio(reload_share, "loads of what was loaded", "%", followed_reloads, followed_loads, 100),
                    sum(atomic_lanes, "atomic updates"),
                    sum(atomic_addresses, "atomic addresses"),
                    sum(global_atomic_turns, "turns of global atomics"),
                    sum(shared_atomic_turns, "turns of shared atomics"),
                    sum(float_atomics, "atomic requests of floats"),
                    ratio(atomic_lanes_per_address, "lanes/atomic address", "", atomic_lanes, atomic_addresses),
                });
}

void add_shared_and_local(std::vector<MetricInfo>& list) {
    using namespace metric;
    list.insert(list.end(), {
                                sum(shared_load_requests, "shared load requests"),
                                sum(shared_store_requests, "shared store requests"),
                                sum(shared_atomic_requests, "shared atomic requests"),
                                sum(shared_wavefronts, "shared wavefronts"),
                                sum(shared_load_wavefronts, "shared load wavefronts"),
                                sum(shared_store_wavefronts, "shared store wavefronts"),
                                sum(shared_load_conflicts, "bank conflicts, loads"),
                                sum(shared_store_conflicts, "bank conflicts, stores"),
                                sum(shared_atomic_conflicts, "bank conflicts, atomics"),
                                sum(local_load_requests, "local load requests"),
                                sum(local_store_requests, "local store requests"),
                                sum(local_load_sectors, "local load sectors"),
                                sum(local_store_sectors, "local store sectors"),
                            });
}

void add_execution(std::vector<MetricInfo>& list) {
    using namespace metric;
    list.insert(list.end(), {
                                sum(warp_instructions, "warp instructions"),
                                sum(machine_instructions, "machine instructions"),
                                sum(thread_instructions, "thread instructions"),
                                sum(texture_instructions, "texture instructions"),
                                sum(float_double_conversions, "conversions float/double"),
                                ratio(lanes_active, "lanes active", "", thread_instructions, warp_instructions),
                                sum(issued, "issued"),
                                sum(issued_memory, "issued for memory"),
                                sum(issued_arithmetic, "issued for arithmetic"),
                                sum(issued_integer, "issued for integers"),
                                sum(issued_division, "issued for divisions"),
                                sum(issued_conversion, "issued for conversions"),
                                sum(issued_control, "issued for control"),
                                sum(wait_memory, "waits for memory", "clk"),
                                sum(wait_shared, "waits for shared memory", "clk"),
                                sum(wait_atomics, "waits for atomics", "clk"),
                                sum(wait_barriers, "waits for barriers", "clk"),
                                sum(wait_special, "waits for functions", "clk"),
                                sum(barriers, "barriers"),
                                sum(l2_read_sectors, "L2 sectors read"),
                                sum(l2_write_sectors, "L2 sectors written"),
                                sum(l2_sm_read_sectors, "of these for SMs"),
                                sum(l2_sm_write_sectors, "of these by SMs"),
                                sum(dram_read_bytes, "DRAM read", "B"),
                                sum(dram_write_bytes, "DRAM written", "B"),
                                sum(footprint_read_bytes, "footprint read", "B"),
                                sum(footprint_write_bytes, "footprint written", "B"),
                                sum(duration, "kernel time", "ns"),
                                sum(cold_duration, "kernel time, cold caches", "ns"),
                                property(warps_active, "occupancy achieved", "%"),
                                property(theoretical_occupancy, "occupancy possible", "%"),
                                property(registers_per_thread, "registers/thread"),
                                property(grid_size, "blocks"),
                                property(block_size, "threads/block"),
                                property(waves_per_sm, "waves"),
                                property(longest_warp, "longest warp / average"),
                            });
}

void add_operations(std::vector<MetricInfo>& list) {
    using namespace metric;
    list.insert(list.end(), {
                                sum(fadds, "fp32 additions"),
                                sum(fmuls, "fp32 products"),
                                sum(ffmas, "fp32 fused"),
                                sum(dadds, "fp64 additions"),
                                sum(dmuls, "fp64 products"),
                                sum(dfmas, "fp64 fused"),
                                sum(hadds, "fp16 additions"),
                                sum(hmuls, "fp16 products"),
                                sum(hfmas, "fp16 fused"),
                                sum(integer_operations, "integer operations"),
                                sum(tensor_half, "tensor operations, half"),
                                sum(tensor_tf32, "tensor operations, tf32"),
                                sum(tensor_int8, "tensor operations, int8"),
                                sum(tensor_double, "tensor operations, fp64"),
                            });
}

int weakness(Source source) {
    switch (source) {
    case Source::measured: return 0;
    case Source::theoretical: return 1;
    case Source::counted: return 2;
    case Source::predicted: return 3;
    }
    return 3;
}

} // namespace

const std::vector<MetricInfo>& metrics() {
    static const std::vector<MetricInfo> list = [] {
        std::vector<MetricInfo> all;
        add_global(all);
        add_shared_and_local(all);
        add_execution(all);
        add_operations(all);
        return all;
    }();
    return list;
}

const MetricInfo* find_metric(std::string_view name) {
    static const std::unordered_map<std::string_view, const MetricInfo*> index = [] {
        std::unordered_map<std::string_view, const MetricInfo*> by_name;
        for (const MetricInfo& info : metrics()) by_name.emplace(info.name, &info);
        return by_name;
    }();
    const auto found = index.find(name);
    return found == index.end() ? nullptr : found->second;
}

Source weaker(Source a, Source b) { return weakness(a) >= weakness(b) ? a : b; }

double value_or_zero(const MetricMap& map, std::string_view name) {
    const auto found = map.find(std::string(name));
    return found == map.end() ? 0 : found->second.value;
}

void recompute_ratios(MetricMap& map) {
    for (const MetricInfo& info : metrics()) {
        if (info.kind != MetricKind::ratio) continue;
        const auto numerator = map.find(std::string(info.numerator));
        const auto denominator = map.find(std::string(info.denominator));
        if (numerator == map.end() || denominator == map.end() || denominator->second.value == 0) {
            map.erase(std::string(info.name));
            continue;
        }
        const Source source = weaker(numerator->second.source, denominator->second.source);
        map[std::string(info.name)] = {info.scale * numerator->second.value / denominator->second.value, source, {}};
    }
}

void add_metrics(MetricMap& to, const MetricMap& from) {
    const bool first = to.empty();
    for (const auto& [name, quantity] : from) {
        const MetricInfo* info = find_metric(name);
        const MetricKind kind = info != nullptr ? info->kind : MetricKind::sum;
        const auto [place, inserted] = to.try_emplace(name, quantity);
        if (inserted) {
            if (kind == MetricKind::property && !first) to.erase(place);
            continue;
        }
        if (kind == MetricKind::sum) {
            place->second.value += quantity.value;
            place->second.noise.reset();
            if (weakness(quantity.source) > weakness(place->second.source)) place->second.source = quantity.source;
        } else if (kind == MetricKind::property && !(place->second == quantity)) {
            to.erase(place);
        }
    }
}

} // namespace apod::model
