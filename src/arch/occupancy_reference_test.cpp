// occupancy() against NVIDIA's cuda_occupancy.h, over a seeded sweep of launches on every described GPU that the header knows.
#include "arch/occupancy.hpp"

#include <cuda_occupancy.h>

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace apod::arch {
namespace {

cudaOccDeviceProp properties_of(const Gpu& gpu) {
    cudaOccDeviceProp properties;
    properties.computeMajor = gpu.cc.major;
    properties.computeMinor = gpu.cc.minor;
    properties.maxThreadsPerBlock = static_cast<int>(gpu.limits.max_threads_per_block);
    properties.maxThreadsPerMultiprocessor = static_cast<int>(gpu.limits.max_threads_per_sm);
    properties.regsPerBlock = static_cast<int>(gpu.limits.registers_per_block);
    properties.regsPerMultiprocessor = static_cast<int>(gpu.limits.registers_per_sm);
    properties.warpSize = static_cast<int>(gpu.limits.warp_size);
    properties.sharedMemPerBlock = gpu.limits.shared_per_block_bytes;
    properties.sharedMemPerMultiprocessor = gpu.limits.shared_per_sm_bytes;
    properties.numSms = static_cast<int>(gpu.sm_count);
    properties.sharedMemPerBlockOptin = gpu.limits.shared_per_block_optin_bytes;
    properties.reservedSharedMemPerBlock = gpu.limits.shared_reserved_per_block_bytes;
    return properties;
}

// What the CUDA runtime would pass for a kernel that opted in to the dynamic shared memory that it is launched with.
cudaOccFuncAttributes attributes_of(const KernelResources& kernel) {
    cudaOccFuncAttributes attributes;
    attributes.maxThreadsPerBlock = 1 << 20;
    attributes.numRegs = static_cast<int>(kernel.registers_per_thread);
    attributes.sharedSizeBytes = kernel.static_shared_bytes;
    attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
    attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    attributes.maxDynamicSharedSizeBytes = kernel.dynamic_shared_bytes;
    attributes.numBlockBarriers = static_cast<int>(kernel.barriers);
    return attributes;
}

std::string described(const Gpu& gpu, const KernelResources& kernel) {
    return gpu.id + " threads " + std::to_string(kernel.threads_per_block) + " registers " + std::to_string(kernel.registers_per_thread) +
           " static " + std::to_string(kernel.static_shared_bytes) + " dynamic " + std::to_string(kernel.dynamic_shared_bytes) +
           " barriers " + std::to_string(kernel.barriers);
}

// One launch; false when the two disagree, so that a sweep stops at the first.
bool agree(const Gpu& gpu, const cudaOccDeviceProp& properties, const KernelResources& kernel) {
    const cudaOccFuncAttributes attributes = attributes_of(kernel);
    const cudaOccDeviceState state;
    cudaOccResult expected{};
    const auto status = cudaOccMaxActiveBlocksPerMultiprocessor(&expected, &properties, &attributes, &state,
                                                                static_cast<int>(kernel.threads_per_block), kernel.dynamic_shared_bytes);
    EXPECT_EQ(status, CUDA_OCC_SUCCESS) << described(gpu, kernel);
    const Occupancy ours = occupancy(gpu.limits, gpu.cc, kernel);
    const auto same = [&](std::uint64_t mine, std::uint64_t theirs, const char* what) {
        EXPECT_EQ(mine, theirs) << what << " of " << described(gpu, kernel);
        return mine == theirs;
    };
    return same(ours.blocks_per_sm, expected.activeBlocksPerMultiprocessor, "blocks") &&
           same(ours.blocks_by_warps, expected.blockLimitWarps, "blocks by warps") &&
           same(ours.blocks_by_blocks, expected.blockLimitBlocks, "blocks by blocks") &&
           same(ours.blocks_by_registers, expected.blockLimitRegs, "blocks by registers") &&
           same(ours.blocks_by_shared, expected.blockLimitSharedMem, "blocks by shared memory") &&
           same(ours.blocks_by_barriers, expected.blockLimitBarriers, "blocks by barriers") &&
           same(ours.shared_per_block_bytes, expected.allocatedSharedMemPerBlock, "shared memory of a block");
}

bool header_knows(const Gpu& gpu) { return gpu.cc.major >= 3; }

TEST(OccupancyReference, AgreesWithTheHeaderOverASeededSweepOfLaunches) {
    constexpr unsigned seed = 20260131;
    std::mt19937 random(seed);
    int compared = 0;
    for (const auto& id : known_gpu_ids()) {
        const auto gpu = find_gpu(id);
        ASSERT_TRUE(gpu) << to_text(gpu.error());
        if (!header_knows(*gpu)) continue;
        const auto properties = properties_of(*gpu);
        const auto below = [&](std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(random); };
        for (int i = 0; i < 4000; ++i) {
            KernelResources kernel;
            kernel.threads_per_block = static_cast<std::uint32_t>(1 + below(1100));
            kernel.registers_per_thread = static_cast<std::uint32_t>(below(gpu->limits.max_registers_per_thread));
            const std::uint64_t shared = below(1) == 0 ? 4096 : gpu->limits.shared_per_sm_bytes + 4096;
            kernel.static_shared_bytes = below(3) == 0 ? 0 : below(std::min<std::uint64_t>(shared, 50000));
            kernel.dynamic_shared_bytes = below(2) == 0 ? 0 : below(shared);
            kernel.barriers = static_cast<std::uint32_t>(below(16));
            ASSERT_TRUE(agree(*gpu, properties, kernel)) << "seed " << seed;
            ++compared;
        }
    }
    EXPECT_GT(compared, 100000);
}

TEST(OccupancyReference, AgreesForEveryWarpCountAndRegisterCount) {
    for (const auto* id : {"p100", "v100", "t4", "a100", "a40", "l40", "h200", "b200", "rtx5090"}) {
        const auto gpu = find_gpu(id);
        ASSERT_TRUE(gpu) << to_text(gpu.error());
        const auto properties = properties_of(*gpu);
        KernelResources kernel;
        for (kernel.threads_per_block = 32; kernel.threads_per_block <= 1024; kernel.threads_per_block += 32)
            for (kernel.registers_per_thread = 0; kernel.registers_per_thread <= 255; ++kernel.registers_per_thread)
                ASSERT_TRUE(agree(*gpu, properties, kernel));
    }
}

} // namespace
} // namespace apod::arch
