// Theoretical occupancy, as cuda_occupancy.h (CUDA 13.0) computes it; a test compares the two where that header is present.
#pragma once

#include "arch/gpu.hpp"

#include <cstdint>
#include <string>

namespace apod::arch {

struct KernelResources {
    std::uint32_t threads_per_block = 0;
    std::uint32_t registers_per_thread = 0;
    std::uint64_t static_shared_bytes = 0;
    std::uint64_t dynamic_shared_bytes = 0;
    std::uint32_t barriers = 1; // named barriers used per block
};

// "No limit" among the block counts below: what a kernel does not use cannot limit it.
inline constexpr std::uint32_t unlimited_blocks = 2147483647;

struct Occupancy {
    std::uint32_t blocks_per_sm = 0; // 0: the block does not fit
    std::uint32_t warps_per_block = 0;
    std::uint32_t warps_per_sm = 0;
    double fraction = 0; // warps_per_sm / max_warps_per_sm
    std::uint32_t blocks_by_warps = 0;
    std::uint32_t blocks_by_blocks = 0;
    std::uint32_t blocks_by_registers = 0;
    std::uint32_t blocks_by_shared = 0;
    std::uint32_t blocks_by_barriers = 0;
    std::string limiter;                      // warps, blocks, registers, shared, barriers: the smallest; ties in this order
    std::uint64_t shared_per_block_bytes = 0; // allocated, rounded up, with the reserve
    std::uint64_t carveout_bytes = 0;         // smallest carve-out that holds the resident blocks: an upper bound for L1
    std::uint64_t l1_bytes = 0;               // what the carve-out leaves to L1
};

// Never fails: a launch that the limits refuse (too many threads, registers or shared memory, none at all) has 0 blocks. Shared memory
// above the default limit counts as opted in to. Limits of architectures before 3.x follow NVIDIA's occupancy calculator of their time.
[[nodiscard]] Occupancy occupancy(const Limits& limits, const ComputeCapability& cc, const KernelResources& kernel);

} // namespace apod::arch
