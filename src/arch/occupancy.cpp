// The rules are those of NVIDIA's cuda_occupancy.h; occupancy_reference_test compares. What they say, per resource of an SM:
//   warps      a block takes ceil(threads / 32) warp slots
//   registers  a warp takes its registers rounded up to the allocation unit, from one sub-partition; a launch is refused when a block, its
//              warps rounded up to the sub-partitions, needs more than a block may have
//   shared     a block takes static + dynamic + reserve, rounded up to the allocation unit, from the largest carve-out
//   barriers   from 9.0 on: 16 a block slot, of which one or two a block can be counted on
#include "arch/occupancy.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace apod::arch {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return unit == 0 ? value : (value + unit - 1) / unit * unit; }

std::uint64_t divide(std::uint64_t value, std::uint64_t by) { return by == 0 ? 0 : value / by; }

std::uint32_t as_blocks(std::uint64_t count) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, unlimited_blocks)); }

std::uint32_t blocks_by_warps(const Limits& limits, const KernelResources& kernel, std::uint32_t warps) {
    if (warps == 0 || kernel.threads_per_block > limits.max_threads_per_block) return 0;
    return as_blocks(divide(limits.max_threads_per_sm, limits.warp_size) / warps);
}

// 1.x allocates registers to blocks: warps come in pairs, and the whole is rounded to the unit.
std::uint32_t blocks_by_registers_of_block(const Limits& limits, const KernelResources& kernel, std::uint32_t warps) {
    const std::uint64_t registers =
        round_up(round_up(warps, 2) * limits.warp_size * kernel.registers_per_thread, limits.register_allocation_unit);
    return registers > limits.registers_per_block ? 0 : as_blocks(limits.registers_per_sm / registers);
}

std::uint32_t blocks_by_registers_of_warp(const Limits& limits, std::uint32_t sub_partitions, std::uint64_t warp_registers,
                                          std::uint32_t warps) {
    if (warp_registers * round_up(warps, sub_partitions) > limits.registers_per_block) return 0;
    const std::uint64_t warps_per_partition = divide(limits.registers_per_sm, sub_partitions) / warp_registers;
    return as_blocks(divide(warps_per_partition * sub_partitions, warps));
}

std::uint32_t blocks_by_registers(const Limits& limits, const ComputeCapability& cc, const KernelResources& kernel, std::uint32_t warps) {
    // The reference lets 256 pass from 7.0 on, though an instruction can name 255 only.
    const std::uint32_t most = limits.max_registers_per_thread + (cc.major >= 7 ? 1 : 0);
    if (warps == 0 || kernel.registers_per_thread > most) return 0;
    if (kernel.registers_per_thread == 0) return unlimited_blocks;
    if (cc.major < 2) return blocks_by_registers_of_block(limits, kernel, warps);
    const std::uint64_t warp_registers =
        round_up(std::uint64_t{kernel.registers_per_thread} * limits.warp_size, limits.register_allocation_unit);
    const std::uint32_t blocks = blocks_by_registers_of_warp(limits, limits.sub_partitions, warp_registers, warps);
    // 6.0 refuses what its siblings with four sub-partitions could not run.
    if (cc == ComputeCapability{6, 0} && blocks_by_registers_of_warp(limits, 4, warp_registers, warps) == 0) return 0;
    return blocks;
}

std::uint64_t shared_of_block(const Limits& limits, const KernelResources& kernel) {
    constexpr std::uint64_t far_too_much = std::uint64_t{1} << 40; // keeps the sum from wrapping round
    const std::uint64_t used = std::min(kernel.static_shared_bytes, far_too_much) + std::min(kernel.dynamic_shared_bytes, far_too_much);
    return round_up(used + limits.shared_reserved_per_block_bytes, limits.shared_allocation_unit_bytes);
}

std::uint32_t blocks_by_shared(const Limits& limits, std::uint64_t allocated) {
    if (allocated > limits.shared_per_block_optin_bytes + std::uint64_t{limits.shared_reserved_per_block_bytes}) return 0;
    return allocated == 0 ? unlimited_blocks : as_blocks(limits.shared_per_sm_bytes / allocated);
}

std::uint32_t blocks_by_barriers(const Limits& limits, const ComputeCapability& cc, const KernelResources& kernel) {
    if (cc.major < 9 || kernel.barriers == 0) return unlimited_blocks;
    const bool one_a_block = cc == ComputeCapability{10, 1} || cc == ComputeCapability{11, 0} || cc.major == 12;
    return as_blocks(std::uint64_t{limits.max_blocks_per_sm} * (one_a_block ? 1 : 2) / kernel.barriers);
}

std::uint64_t smallest_carveout(const Limits& limits, std::uint64_t needed) {
    const auto& carveouts = limits.shared_carveouts_bytes;
    const auto fitting = std::lower_bound(carveouts.begin(), carveouts.end(), needed);
    return fitting == carveouts.end() ? limits.shared_per_sm_bytes : *fitting;
}

void set_limiter(Occupancy& result) {
    struct Candidate {
        const char* name;
        std::uint32_t blocks;
    };
    const std::array<Candidate, 5> candidates = {{{"warps", result.blocks_by_warps},
                                                  {"blocks", result.blocks_by_blocks},
                                                  {"registers", result.blocks_by_registers},
                                                  {"shared", result.blocks_by_shared},
                                                  {"barriers", result.blocks_by_barriers}}};
    const auto smallest =
        std::min_element(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.blocks < b.blocks; });
    result.blocks_per_sm = smallest->blocks;
    result.limiter = smallest->name;
}

} // namespace

Occupancy occupancy(const Limits& limits, const ComputeCapability& cc, const KernelResources& kernel) {
    Occupancy result;
    const auto warps = static_cast<std::uint32_t>(divide(round_up(kernel.threads_per_block, limits.warp_size), limits.warp_size));
    result.warps_per_block = warps;
    result.shared_per_block_bytes = shared_of_block(limits, kernel);
    result.blocks_by_warps = blocks_by_warps(limits, kernel, warps);
    result.blocks_by_blocks = limits.max_blocks_per_sm;
    result.blocks_by_registers = blocks_by_registers(limits, cc, kernel, warps);
    result.blocks_by_shared = blocks_by_shared(limits, result.shared_per_block_bytes);
    result.blocks_by_barriers = blocks_by_barriers(limits, cc, kernel);
    set_limiter(result);
    result.warps_per_sm = result.blocks_per_sm * warps;
    if (limits.max_warps_per_sm > 0) result.fraction = static_cast<double>(result.warps_per_sm) / limits.max_warps_per_sm;
    result.carveout_bytes = smallest_carveout(limits, result.blocks_per_sm * result.shared_per_block_bytes);
    result.l1_bytes = limits.unified_l1_bytes > result.carveout_bytes ? limits.unified_l1_bytes - result.carveout_bytes : 0;
    return result;
}

} // namespace apod::arch
