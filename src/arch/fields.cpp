#include "arch/fields.hpp"

#include <array>

namespace apod::arch {
namespace {

constexpr std::array<std::string_view, 7> sections = {"limits", "throughput", "latency", "memory", "caches", "launch", "model"};

constexpr auto texts = std::to_array<TextField>({
    {"", "id", [](Gpu& g) { return &g.id; }},
    {"", "name", [](Gpu& g) { return &g.name; }},
    {"", "architecture", [](Gpu& g) { return &g.architecture; }},
    {"", "pcie", [](Gpu& g) { return &g.pcie; }},
    {"", "note", [](Gpu& g) { return &g.note; }, false},
    {"memory", "type", [](Gpu& g) { return &g.memory.type; }},
});

// One row a key: section, key, member, smallest and largest value that makes sense.
constexpr auto numbers = std::to_array<NumberField>({
    {"", "sm_count", [](Gpu& g) { return &g.sm_count; }, 1, 100000},
    {"", "boost_mhz", [](Gpu& g) { return &g.boost_mhz; }, 1, 100000},
    // limits
    {"limits", "max_threads_per_block", [](Gpu& g) { return &g.limits.max_threads_per_block; }, 1, 65536},
    {"limits", "max_threads_per_sm", [](Gpu& g) { return &g.limits.max_threads_per_sm; }, 1, 65536},
    {"limits", "max_warps_per_sm", [](Gpu& g) { return &g.limits.max_warps_per_sm; }, 1, 2048},
    {"limits", "max_blocks_per_sm", [](Gpu& g) { return &g.limits.max_blocks_per_sm; }, 1, 1024},
    {"limits", "registers_per_sm", [](Gpu& g) { return &g.limits.registers_per_sm; }, 1, 16777216},
    {"limits", "registers_per_block", [](Gpu& g) { return &g.limits.registers_per_block; }, 1, 16777216},
    {"limits", "max_registers_per_thread", [](Gpu& g) { return &g.limits.max_registers_per_thread; }, 1, 1024},
    {"limits", "register_allocation_unit", [](Gpu& g) { return &g.limits.register_allocation_unit; }, 1, 65536},
    {"limits", "sub_partitions", [](Gpu& g) { return &g.limits.sub_partitions; }, 1, 64},
    {"limits", "shared_per_sm_bytes", [](Gpu& g) { return &g.limits.shared_per_sm_bytes; }, 1, 1073741824},
    {"limits", "shared_per_block_bytes", [](Gpu& g) { return &g.limits.shared_per_block_bytes; }, 1, 1073741824},
    {"limits", "shared_per_block_optin_bytes", [](Gpu& g) { return &g.limits.shared_per_block_optin_bytes; }, 1, 1073741824},
    {"limits", "shared_reserved_per_block_bytes", [](Gpu& g) { return &g.limits.shared_reserved_per_block_bytes; }, 0, 1048576},
    {"limits", "shared_allocation_unit_bytes", [](Gpu& g) { return &g.limits.shared_allocation_unit_bytes; }, 1, 1048576},
    {"limits", "shared_carveouts_bytes", [](Gpu& g) { return &g.limits.shared_carveouts_bytes; }, 0, 1073741824},
    {"limits", "unified_l1_bytes", [](Gpu& g) { return &g.limits.unified_l1_bytes; }, 1, 1073741824},
    {"limits", "max_grid_x", [](Gpu& g) { return &g.limits.max_grid_x; }, 1, 4294967295.0},
    {"limits", "max_grid_y", [](Gpu& g) { return &g.limits.max_grid_y; }, 1, 4294967295.0},
    {"limits", "max_grid_z", [](Gpu& g) { return &g.limits.max_grid_z; }, 1, 4294967295.0},
    {"limits", "max_block_x", [](Gpu& g) { return &g.limits.max_block_x; }, 1, 65536},
    {"limits", "max_block_y", [](Gpu& g) { return &g.limits.max_block_y; }, 1, 65536},
    {"limits", "max_block_z", [](Gpu& g) { return &g.limits.max_block_z; }, 1, 65536},
    {"limits", "warp_size", [](Gpu& g) { return &g.limits.warp_size; }, 32, 32},
    // throughput
    {"throughput", "fp32", [](Gpu& g) { return &g.throughput.fp32; }, 0.01, 4096},
    {"throughput", "fp16x2", [](Gpu& g) { return &g.throughput.fp16x2; }, 0, 4096},
    {"throughput", "fp64", [](Gpu& g) { return &g.throughput.fp64; }, 0, 4096},
    {"throughput", "special", [](Gpu& g) { return &g.throughput.special; }, 0.01, 4096},
    {"throughput", "int_add", [](Gpu& g) { return &g.throughput.int_add; }, 0.01, 4096},
    {"throughput", "int_mul", [](Gpu& g) { return &g.throughput.int_mul; }, 0.01, 4096},
    {"throughput", "logic", [](Gpu& g) { return &g.throughput.logic; }, 0.01, 4096},
    {"throughput", "compare", [](Gpu& g) { return &g.throughput.compare; }, 0.01, 4096},
    {"throughput", "popc", [](Gpu& g) { return &g.throughput.popc; }, 0.01, 4096},
    {"throughput", "shuffle", [](Gpu& g) { return &g.throughput.shuffle; }, 0, 4096},
    {"throughput", "convert", [](Gpu& g) { return &g.throughput.convert; }, 0.01, 4096},
    {"throughput", "convert64", [](Gpu& g) { return &g.throughput.convert64; }, 0.01, 4096},
    {"throughput", "barrier", [](Gpu& g) { return &g.throughput.barrier; }, 0.01, 4096},
    {"throughput", "tensor_half", [](Gpu& g) { return &g.throughput.tensor_half; }, 0, 65536, false},
    {"throughput", "tensor_double", [](Gpu& g) { return &g.throughput.tensor_double; }, 0, 65536, false},
    {"throughput", "shared_fp32_int_path", [](Gpu& g) { return &g.throughput.shared_fp32_int_path; }, 0, 1},
    // latency
    {"latency", "alu", [](Gpu& g) { return &g.latency.alu; }, 1, 100000},
    {"latency", "fp64", [](Gpu& g) { return &g.latency.fp64; }, 1, 100000},
    {"latency", "special", [](Gpu& g) { return &g.latency.special; }, 1, 100000},
    {"latency", "shared", [](Gpu& g) { return &g.latency.shared; }, 1, 100000},
    {"latency", "l1_hit", [](Gpu& g) { return &g.latency.l1_hit; }, 1, 100000},
    {"latency", "l2_hit", [](Gpu& g) { return &g.latency.l2_hit; }, 1, 100000},
    {"latency", "dram", [](Gpu& g) { return &g.latency.dram; }, 1, 100000},
    {"latency", "atomic", [](Gpu& g) { return &g.latency.atomic; }, 1, 100000},
    {"latency", "barrier", [](Gpu& g) { return &g.latency.barrier; }, 1, 100000},
    // memory
    {"memory", "clock_mhz", [](Gpu& g) { return &g.memory.clock_mhz; }, 1, 1000000},
    {"memory", "rate_gbps", [](Gpu& g) { return &g.memory.rate_gbps; }, 0.001, 10000},
    {"memory", "bus_bits", [](Gpu& g) { return &g.memory.bus_bits; }, 1, 1048576},
    {"memory", "peak_gbs", [](Gpu& g) { return &g.memory.peak_gbs; }, 0.001, 10000000},
    {"memory", "size_bytes", [](Gpu& g) { return &g.memory.size_bytes; }, 1048576, 1152921504606846976.0},
    {"memory", "efficiency_read", [](Gpu& g) { return &g.memory.efficiency_read; }, 0.01, 1},
    {"memory", "efficiency_mix", [](Gpu& g) { return &g.memory.efficiency_mix; }, 0.01, 1},
    {"memory", "efficiency_triad", [](Gpu& g) { return &g.memory.efficiency_triad; }, 0.01, 1},
    {"memory", "efficiency_write", [](Gpu& g) { return &g.memory.efficiency_write; }, 0.01, 1},
    {"memory", "fetch_bytes", [](Gpu& g) { return &g.memory.fetch_bytes; }, 32, 4096},
    // caches
    {"caches", "l2_bytes", [](Gpu& g) { return &g.caches.l2_bytes; }, 0, 1125899906842624.0},
    {"caches", "l2_bytes_per_clk", [](Gpu& g) { return &g.caches.l2_bytes_per_clk; }, 1, 10000000},
    {"caches", "l2_write_sectors_per_clk", [](Gpu& g) { return &g.caches.l2_write_sectors_per_clk; }, 0, 1000000, false},
    {"caches", "l1_bytes_per_clk", [](Gpu& g) { return &g.caches.l1_bytes_per_clk; }, 1, 100000},
    {"caches", "shared_bytes_per_clk", [](Gpu& g) { return &g.caches.shared_bytes_per_clk; }, 1, 100000},
    {"caches", "lsu_requests_per_clk", [](Gpu& g) { return &g.caches.lsu_requests_per_clk; }, 0.01, 64},
    {"caches", "l2_partitions", [](Gpu& g) { return &g.caches.l2_partitions; }, 1, 64},
    // launch
    {"launch", "fixed_ns", [](Gpu& g) { return &g.launch.fixed_ns; }, 0, 1000000000},
    {"launch", "stream_ns", [](Gpu& g) { return &g.launch.stream_ns; }, 0, 1000000000},
    {"launch", "graph_ns", [](Gpu& g) { return &g.launch.graph_ns; }, 0, 1000000000},
    {"launch", "event_ns", [](Gpu& g) { return &g.launch.event_ns; }, 0, 1000000000},
    {"launch", "block_turnaround_clk", [](Gpu& g) { return &g.launch.block_turnaround_clk; }, 0, 1000000000},
    {"launch", "blocks_per_clk", [](Gpu& g) { return &g.launch.blocks_per_clk; }, 0.0001, 1000000000},
    // model
    {"model", "overlap_exponent", [](Gpu& g) { return &g.model.overlap_exponent; }, 1, 64},
    {"model", "hidden_by_blocks", [](Gpu& g) { return &g.model.hidden_by_blocks; }, 0, 1},
    {"model", "busy_dram_latency", [](Gpu& g) { return &g.model.busy_dram_latency; }, 0, 1000000},
    {"model", "cold_dram_latency", [](Gpu& g) { return &g.model.cold_dram_latency; }, 0.0001, 1000000},
    {"model", "code_cold_clk", [](Gpu& g) { return &g.model.code_cold_clk; }, 0, 1000000},
    {"model", "code_line_clk", [](Gpu& g) { return &g.model.code_line_clk; }, 0, 1000000},
    {"model", "code_miss_clk", [](Gpu& g) { return &g.model.code_miss_clk; }, 0, 1000000},
    {"model", "indexed_constant_clk", [](Gpu& g) { return &g.model.indexed_constant_clk; }, 0.0001, 1000000},
    {"model", "operands_read_clk", [](Gpu& g) { return &g.model.operands_read_clk; }, 0, 1000000},
    {"model", "block_start_clk", [](Gpu& g) { return &g.model.block_start_clk; }, 0, 1000000},
    {"model", "warp_start_clk", [](Gpu& g) { return &g.model.warp_start_clk; }, 0, 1000000},
    {"model", "load_tags_per_clk", [](Gpu& g) { return &g.model.load_tags_per_clk; }, 0.0001, 1000000},
    {"model", "load_tags_more", [](Gpu& g) { return &g.model.load_tags_more; }, 0, 1000000},
    {"model", "lsu_queue_clk", [](Gpu& g) { return &g.model.lsu_queue_clk; }, 0, 1000000},
    {"model", "outstanding_clk", [](Gpu& g) { return &g.model.outstanding_clk; }, 0, 1000000},
    {"model", "swap_round_clk", [](Gpu& g) { return &g.model.swap_round_clk; }, 0.0001, 1000000},
    {"model", "l2_usable", [](Gpu& g) { return &g.model.l2_usable; }, 0.01, 1},
    {"model", "l2_usable_split", [](Gpu& g) { return &g.model.l2_usable_split; }, 0.01, 1},
    {"model", "l2_random_line_share", [](Gpu& g) { return &g.model.l2_random_line_share; }, 0.01, 1},
    {"model", "l2_merged_share", [](Gpu& g) { return &g.model.l2_merged_share; }, 0, 1},
    {"model", "dram_random_share", [](Gpu& g) { return &g.model.dram_random_share; }, 0.01, 1},
    {"model", "l2_line_share", [](Gpu& g) { return &g.model.l2_line_share; }, 0.01, 1},
    {"model", "part_line_packets", [](Gpu& g) { return &g.model.part_line_packets; }, 0.0001, 1000000},
    {"model", "part_sector_packets", [](Gpu& g) { return &g.model.part_sector_packets; }, 0.0001, 1000000},
    {"model", "few_lines_packets", [](Gpu& g) { return &g.model.few_lines_packets; }, 0.01, 1},
    {"model", "whole_line_packets", [](Gpu& g) { return &g.model.whole_line_packets; }, 0.0001, 1000000},
    {"model", "store_packets_per_sm", [](Gpu& g) { return &g.model.store_packets_per_sm; }, 0.0001, 1000000},
    {"model", "atomic_turn_ns", [](Gpu& g) { return &g.model.atomic_turn_ns; }, 0.0001, 1000000},
    {"model", "atomic_again_ns", [](Gpu& g) { return &g.model.atomic_again_ns; }, 0.0001, 1000000},
    {"model", "atomic_again_float_ns", [](Gpu& g) { return &g.model.atomic_again_float_ns; }, 0.0001, 1000000},
    {"model", "dram_part_share", [](Gpu& g) { return &g.model.dram_part_share; }, 0.01, 1},
    {"model", "print_start_ns", [](Gpu& g) { return &g.model.print_start_ns; }, 0, 1000000},
    {"model", "print_lane_ns", [](Gpu& g) { return &g.model.print_lane_ns; }, 0, 1000000},
    {"model", "atomic_slices", [](Gpu& g) { return &g.model.atomic_slices; }, 0.0001, 1000000},
    {"model", "error_machine", [](Gpu& g) { return &g.model.error_machine; }, 0, 10},
    {"model", "error_ptx", [](Gpu& g) { return &g.model.error_ptx; }, 0, 10},
});

} // namespace

std::span<const NumberField> number_fields() { return numbers; }

double number_of(const Gpu& gpu, const NumberField& field) {
    // The targets hand out what reading fills; nothing is written here.
    auto& fields = const_cast<Gpu&>(gpu);
    return std::visit(
        [&fields](auto target) -> double {
            const auto& value = *target(fields);
            if constexpr (requires { value.back(); })
                return value.empty() ? 0 : value.back();
            else
                return static_cast<double>(value);
        },
        field.target);
}

std::span<const TextField> text_fields() { return texts; }
std::span<const std::string_view> section_names() { return sections; }

} // namespace apod::arch
