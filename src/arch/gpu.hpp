// The description of one GPU model, read from data/arch/<id>.toml and data/arch/cc/<capability>.toml (docs/devices.md). Every number there
// has its source and confidence beside it.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::arch {

// Compute capability, 9.0 -> {9, 0}.
struct ComputeCapability {
    int major = 0;
    int minor = 0;
    [[nodiscard]] int number() const { return major * 10 + minor; } // 9.0 -> 90
    friend auto operator<=>(const ComputeCapability&, const ComputeCapability&) = default;
};

// What a program may ask of one SM, block or thread: CUDA Programming Guide, table "Technical specifications per compute capability".
struct Limits {
    std::uint32_t max_threads_per_block = 1024;
    std::uint32_t max_threads_per_sm = 2048;
    std::uint32_t max_warps_per_sm = 64;
    std::uint32_t max_blocks_per_sm = 32;
    std::uint32_t registers_per_sm = 65536;
    std::uint32_t registers_per_block = 65536;
    std::uint32_t max_registers_per_thread = 255;
    std::uint32_t register_allocation_unit = 256; // registers, per warp
    std::uint32_t sub_partitions = 4;
    std::uint32_t shared_per_sm_bytes = 0;
    std::uint32_t shared_per_block_bytes = 49152; // default limit, without opt-in
    std::uint32_t shared_per_block_optin_bytes = 0;
    std::uint32_t shared_reserved_per_block_bytes = 1024;
    std::uint32_t shared_allocation_unit_bytes = 128;
    std::vector<std::uint32_t> shared_carveouts_bytes; // ascending
    std::uint32_t unified_l1_bytes = 0;                // L1 and shared memory together
    std::uint32_t max_grid_x = 2147483647;
    std::uint32_t max_grid_y = 65535;
    std::uint32_t max_grid_z = 65535;
    std::uint32_t max_block_x = 1024;
    std::uint32_t max_block_y = 1024;
    std::uint32_t max_block_z = 64;
    std::uint32_t warp_size = 32;
};

// Results per clock per SM of each arithmetic class (one warp instruction is 32 results).
struct Throughput {
    double fp32 = 0;
    double fp16x2 = 0; // pairs: a half2 warp instruction is 32 results here as well
    double fp64 = 0;
    double special = 0; // MUFU: rcp, rsqrt, ex2, lg2, sin, cos
    double int_add = 0;
    double int_mul = 0;
    double logic = 0;   // shift, and, or, xor, lop3
    double compare = 0; // compare, min, max
    double popc = 0;    // popc, clz, brev
    double shuffle = 0;
    double convert = 0;                // 32-bit conversions
    double convert64 = 0;              // conversions from and to 64-bit types
    double barrier = 0;                // thread-operations
    double tensor_half = 0;            // multiply-adds of dense matrices of halves; 0: not known, or no such unit
    double tensor_double = 0;          // likewise of doubles
    bool shared_fp32_int_path = false; // 8.6, 8.9: one of the two FP32 paths is the integer path
};

// Core clocks.
struct Latency {
    double alu = 4;
    double fp64 = 8;
    double special = 23;
    double shared = 29;
    double l1_hit = 34;
    double l2_hit = 222;
    double dram = 600;
    double atomic = 260;
    double barrier = 25; // of one warp; every warp of the block adds 32 / Throughput::barrier
};

struct Memory {
    std::string type;     // HBM3e, GDDR6X, ...
    double clock_mhz = 0; // as nvidia-smi shows it
    double rate_gbps = 0; // per pin
    std::uint32_t bus_bits = 0;
    double peak_gbs = 0; // 1e9 bytes per second, theoretical
    std::uint64_t size_bytes = 0;
    double efficiency_read = 0.95; // achievable share of peak: reads only, 1:1 and 2:1 mixes, writes only
    double efficiency_mix = 0.87;
    double efficiency_triad = 0.89;
    double efficiency_write = 0.95;
    std::uint32_t fetch_bytes = 64; // DRAM granule
};

struct Caches {
    std::uint64_t l2_bytes = 0;
    double l2_bytes_per_clk = 0;         // whole chip, reads
    double l2_write_sectors_per_clk = 0; // whole chip, scattered sector writes; 0 = not known, use l2_bytes_per_clk
    double l1_bytes_per_clk = 128;       // per SM
    double shared_bytes_per_clk = 128;
    double lsu_requests_per_clk = 1; // per SM
    std::uint32_t l2_partitions = 1;
};

struct Launch {
    double fixed_ns = 0;  // empty kernel, as a profiler times it
    double stream_ns = 0; // back-to-back launches in a stream, each
    double graph_ns = 0;  // the same as graph nodes
    double event_ns = 0;  // what a pair of events around one launch adds
    double block_turnaround_clk = 450;
    double blocks_per_clk = 0.5; // dispatch rate of the whole chip
};

// Constants of the time model, measured or fitted on one GPU (data/arch/model) and borrowed by the others; docs/model.md says where each
// belongs.
struct Model {
    double overlap_exponent = 0;
    double hidden_by_blocks = 0;
    double busy_dram_latency = 0; // shares of the idle, warm latency
    double cold_dram_latency = 0;
    double code_cold_clk = 0;
    double code_line_clk = 0;
    double code_miss_clk = 0;
    double indexed_constant_clk = 0;
    double operands_read_clk = 0;
    double block_start_clk = 0;
    double warp_start_clk = 0;
    double load_tags_per_clk = 0;
    double load_tags_more = 0;
    double lsu_queue_clk = 0;
    double outstanding_clk = 0;
    double swap_round_clk = 0;
    double l2_usable = 0;
    double l2_usable_split = 0;
    double l2_line_share = 0;
    double l2_random_line_share = 0;
    double l2_merged_share = 0;
    double dram_random_share = 0;
    double part_line_packets = 0;
    double part_sector_packets = 0;
    double few_lines_packets = 0;
    double whole_line_packets = 0;
    double dram_part_share = 0;
    double store_packets_per_sm = 0; // a clock
    double atomic_turn_ns = 0;
    double atomic_again_ns = 0;
    double atomic_again_float_ns = 0;
    double atomic_slices = 0;
    double print_start_ns = 0;
    double print_lane_ns = 0;
    double error_machine = 0; // mean relative error of predicted times, with machine code and without
    double error_ptx = 0;
};

// Where a number comes from, as the file states it.
struct Provenance {
    std::string source;
    std::string confidence; // V read in a public source, M measured, P part read, R recalled, ? unknown
};

struct Gpu {
    std::string id;   // h200, a100, ...: the name after "emu:"
    std::string name; // NVIDIA H200
    std::string architecture;
    ComputeCapability cc;
    std::uint32_t sm_count = 0;
    double boost_mhz = 0;
    std::string pcie;
    Limits limits;
    Throughput throughput;
    Latency latency;
    Memory memory;
    Caches caches;
    Launch launch;
    Model model;
    std::string note;
    std::map<std::string, Provenance> provenance; // "memory.peak_gbs" -> its source

    [[nodiscard]] double clock_ghz() const { return boost_mhz / 1000.0; }
    [[nodiscard]] double fp32_gflops() const { return sm_count * throughput.fp32 * 2 * clock_ghz(); }
    [[nodiscard]] double fp64_gflops() const { return sm_count * throughput.fp64 * 2 * clock_ghz(); }
};

// The text of the description that all GPUs of a compute capability ("9.0") share, data/arch/cc/9.0.toml; nothing when there is none.
using CapabilityText = std::function<std::optional<std::string>(const std::string& capability)>;
std::optional<std::string> built_in_capability(const std::string& capability);
// data/arch/model/h200.toml: the constants that all GPUs read before their own files.
inline constexpr const char* model_constants_file = "data/arch/model/h200.toml";

// Reads one description together with that of its compute capability, whose values it may overrule. `file` names it in messages. Unknown
// keys, missing keys, wrong types, nonsense values and numbers without source are bad_input with their place.
Result<Gpu> parse_gpu(std::string_view toml_text, const std::string& file, const CapabilityText& capability_text = built_in_capability);

// The ids of the descriptions built into this apod, in byte order.
const std::vector<std::string>& known_gpu_ids();
// A built-in id, or the path of a description ending in .toml. An unknown id is a usage error that names the nearest known one.
Result<Gpu> find_gpu(std::string_view id);

} // namespace apod::arch
