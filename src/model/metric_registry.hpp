// Every metric that apod knows: identifier, label, unit, and how a ratio follows from sums. The one place where names are spelt;
// docs/metrics.md explains each.
#pragma once

#include "apod/record.hpp"

#include <string_view>
#include <vector>

namespace apod::model {

enum class MetricKind : std::uint8_t {
    sum,     // adds up over lines, launches and GPUs
    ratio,   // scale * numerator / denominator, both sums in the same map
    property // of one launch; over several launches that differ there is none
};

struct MetricInfo {
    std::string_view name;  // Nsight Compute's, or apod__... where it has none
    std::string_view label; // for people, lower case
    std::string_view unit;  // "", B, ns, %, ...
    MetricKind kind = MetricKind::sum;
    std::string_view numerator; // of a ratio: names of sums
    std::string_view denominator;
    double scale = 1;
};

namespace metric {
inline constexpr std::string_view global_load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
inline constexpr std::string_view global_store_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
inline constexpr std::string_view global_atomic_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum";
inline constexpr std::string_view global_reduction_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum";
inline constexpr std::string_view global_load_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
inline constexpr std::string_view global_store_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
inline constexpr std::string_view global_atomic_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum";
inline constexpr std::string_view global_reduction_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum";
inline constexpr std::string_view global_load_hits = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum";
inline constexpr std::string_view global_load_bytes = "smsp__sass_data_bytes_mem_global_op_ld.sum";
inline constexpr std::string_view global_store_bytes = "smsp__sass_data_bytes_mem_global_op_st.sum";
inline constexpr std::string_view ideal_load_sectors = "apod__ideal_sectors_mem_global_op_ld.sum";
inline constexpr std::string_view ideal_store_sectors = "apod__ideal_sectors_mem_global_op_st.sum";
inline constexpr std::string_view load_sectors_per_request = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
inline constexpr std::string_view store_sectors_per_request = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio";
inline constexpr std::string_view load_bytes_per_sector = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct";
inline constexpr std::string_view store_bytes_per_sector = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct";
inline constexpr std::string_view load_hit_rate = "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct";
inline constexpr std::string_view global_load_wavefronts = "apod__data_wavefronts_mem_global_op_ld.sum";
inline constexpr std::string_view global_store_wavefronts = "apod__data_wavefronts_mem_global_op_st.sum";
inline constexpr std::string_view shared_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum";
inline constexpr std::string_view shared_load_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
inline constexpr std::string_view shared_store_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
inline constexpr std::string_view shared_load_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
inline constexpr std::string_view shared_store_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";
inline constexpr std::string_view shared_atomic_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum";
inline constexpr std::string_view shared_load_requests = "smsp__inst_executed_op_shared_ld.sum";
inline constexpr std::string_view shared_store_requests = "smsp__inst_executed_op_shared_st.sum";
inline constexpr std::string_view shared_atomic_requests = "smsp__inst_executed_op_shared_atom.sum";
inline constexpr std::string_view local_load_sectors = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum";
inline constexpr std::string_view local_store_sectors = "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum";
inline constexpr std::string_view local_load_requests = "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum";
inline constexpr std::string_view local_store_requests = "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum";
inline constexpr std::string_view atomic_lanes = "apod__atomic_lanes.sum";
inline constexpr std::string_view atomic_addresses = "apod__atomic_addresses.sum";
// Lanes on the most wanted address of each request, added up: the turns that its lanes must take.
inline constexpr std::string_view global_atomic_turns = "apod__global_atomic_turns.sum";
inline constexpr std::string_view shared_atomic_turns = "apod__shared_atomic_turns.sum";
inline constexpr std::string_view float_atomics = "apod__float_atomic_requests.sum"; // absent where there are none
inline constexpr std::string_view atomic_lanes_per_address = "apod__atomic_lanes_per_address.ratio";
inline constexpr std::string_view warp_instructions = "smsp__inst_executed.sum";
inline constexpr std::string_view thread_instructions = "smsp__thread_inst_executed.sum";
inline constexpr std::string_view texture_instructions = "smsp__sass_inst_executed_op_texture.sum"; // absent where there are none
inline constexpr std::string_view float_double_conversions = "apod__float_double_conversions.sum"; // absent where there are none, as these:
inline constexpr std::string_view followed_loads = "apod__followed_thread_loads.sum";
inline constexpr std::string_view followed_reloads = "apod__followed_thread_reloads.sum";
inline constexpr std::string_view reload_share = "apod__thread_reloads.pct";
inline constexpr std::string_view lanes_active = "smsp__thread_inst_executed_per_inst_executed.ratio";
inline constexpr std::string_view l2_read_sectors = "lts__t_sectors_op_read.sum";
inline constexpr std::string_view l2_write_sectors = "lts__t_sectors_op_write.sum";
inline constexpr std::string_view l2_sm_read_sectors = "lts__t_sectors_srcunit_tex_op_read.sum";
inline constexpr std::string_view l2_sm_write_sectors = "lts__t_sectors_srcunit_tex_op_write.sum";
inline constexpr std::string_view dram_read_bytes = "dram__bytes_read.sum";
inline constexpr std::string_view dram_write_bytes = "dram__bytes_write.sum";
inline constexpr std::string_view footprint_read_bytes = "apod__footprint_bytes_read.sum";
inline constexpr std::string_view footprint_write_bytes = "apod__footprint_bytes_write.sum";
inline constexpr std::string_view warps_active = "sm__warps_active.avg.pct_of_peak_sustained_active";
inline constexpr std::string_view theoretical_occupancy = "sm__maximum_warps_per_active_cycle_pct";
inline constexpr std::string_view duration = "gpu__time_duration.sum";
inline constexpr std::string_view cold_duration = "apod__time_duration_cold.sum";           // with empty caches, as ncu measures by default
inline constexpr std::string_view machine_instructions = "apod__inst_executed_machine.sum"; // of ptxas's code, where it is installed
inline constexpr std::string_view registers_per_thread = "launch__registers_per_thread";
inline constexpr std::string_view grid_size = "launch__grid_size";
inline constexpr std::string_view block_size = "launch__block_size";
inline constexpr std::string_view waves_per_sm = "launch__waves_per_multiprocessor";
inline constexpr std::string_view longest_warp = "apod__longest_warp.ratio"; // its instructions over the average warp's; absent below 2
inline constexpr std::string_view barriers = "apod__block_barriers.sum";
// What warps issue, by what it is for, and what they would wait for (counters/instruction_mix.hpp, predict/waits.hpp); absent where there
// is none.
inline constexpr std::string_view issued = "apod__issued.sum";
inline constexpr std::string_view issued_memory = "apod__issued_memory.sum";
inline constexpr std::string_view issued_arithmetic = "apod__issued_arithmetic.sum";
inline constexpr std::string_view issued_integer = "apod__issued_integer.sum";
inline constexpr std::string_view issued_division = "apod__issued_division.sum";
inline constexpr std::string_view issued_conversion = "apod__issued_conversion.sum";
inline constexpr std::string_view issued_control = "apod__issued_control.sum";
inline constexpr std::string_view wait_memory = "apod__wait_memory.sum";
inline constexpr std::string_view wait_shared = "apod__wait_shared.sum";
inline constexpr std::string_view wait_atomics = "apod__wait_atomics.sum";
inline constexpr std::string_view wait_barriers = "apod__wait_barriers.sum";
inline constexpr std::string_view wait_special = "apod__wait_special.sum";
// Arithmetic (counters/operations.hpp); absent where there is none.
inline constexpr std::string_view fadds = "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum";
inline constexpr std::string_view fmuls = "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum";
inline constexpr std::string_view ffmas = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
inline constexpr std::string_view dadds = "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum";
inline constexpr std::string_view dmuls = "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum";
inline constexpr std::string_view dfmas = "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum";
inline constexpr std::string_view hadds = "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum";
inline constexpr std::string_view hmuls = "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum";
inline constexpr std::string_view hfmas = "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum";
inline constexpr std::string_view integer_operations = "apod__integer_operations.sum";
inline constexpr std::string_view tensor_half = "apod__tensor_operations_half.sum";
inline constexpr std::string_view tensor_tf32 = "apod__tensor_operations_tf32.sum";
inline constexpr std::string_view tensor_int8 = "apod__tensor_operations_int8.sum";
inline constexpr std::string_view tensor_double = "apod__tensor_operations_double.sum";
} // namespace metric

// In the order in which views should show them.
[[nodiscard]] const std::vector<MetricInfo>& metrics();

// nullptr for a name that is not in the registry.
[[nodiscard]] const MetricInfo* find_metric(std::string_view name);

// The less sure of two sources: predicted over counted over theoretical over measured.
[[nodiscard]] Source weaker(Source a, Source b);

// The value of a metric in a map, 0 when absent.
[[nodiscard]] double value_or_zero(const MetricMap& map, std::string_view name);

// Sets every ratio whose parts are present and whose denominator is not 0; a ratio's source is the weaker of its parts' (predicted over
// counted over measured).
void recompute_ratios(MetricMap& map);

// Adds the sums of `from` to `to`; properties that differ are dropped, ratios must be recomputed by the caller afterwards.
void add_metrics(MetricMap& to, const MetricMap& from);

} // namespace apod::model
