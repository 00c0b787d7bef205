#include "arch/occupancy.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace apod::arch {
namespace {

Gpu gpu_of(const char* id) {
    const auto gpu = find_gpu(id);
    EXPECT_TRUE(gpu) << id;
    return gpu ? *gpu : Gpu{};
}

Occupancy on(const char* id, const KernelResources& kernel) {
    const Gpu gpu = gpu_of(id);
    return occupancy(gpu.limits, gpu.cc, kernel);
}

TEST(Occupancy, AFullSmIsLimitedByWarps) {
    const auto result = on("h200", {.threads_per_block = 256, .registers_per_thread = 32});
    EXPECT_EQ(result.blocks_per_sm, 8u);
    EXPECT_EQ(result.warps_per_sm, 64u);
    EXPECT_DOUBLE_EQ(result.fraction, 1.0);
    EXPECT_EQ(result.limiter, "warps");
    EXPECT_EQ(result.shared_per_block_bytes, 1024u);
    EXPECT_EQ(result.carveout_bytes, 8192u);
    EXPECT_EQ(result.l1_bytes, 262144u - 8192u);
}

TEST(Occupancy, RegistersAreHandedOutPerWarpInWholeUnits) {
    // 33 registers round up to 40: 1280 a warp, 12 warps in each sub-partition of 16384.
    const auto result = on("h200", {.threads_per_block = 256, .registers_per_thread = 33});
    EXPECT_EQ(result.blocks_by_registers, 6u);
    EXPECT_EQ(result.limiter, "registers");
    EXPECT_DOUBLE_EQ(result.fraction, 0.75);
    EXPECT_EQ(on("h200", {.threads_per_block = 1024, .registers_per_thread = 65}).blocks_per_sm, 0u);
}

TEST(Occupancy, SharedMemoryCountsTheReserve) {
    const auto result = on("h200", {.threads_per_block = 128, .registers_per_thread = 32, .static_shared_bytes = 48 * 1024});
    EXPECT_EQ(result.shared_per_block_bytes, 49u * 1024);
    EXPECT_EQ(result.blocks_per_sm, 4u);
    EXPECT_EQ(result.limiter, "shared");
    EXPECT_EQ(result.carveout_bytes, 196u * 1024);
    EXPECT_EQ(on("h200", {.threads_per_block = 128, .dynamic_shared_bytes = 227 * 1024}).blocks_per_sm, 1u);
    EXPECT_EQ(on("h200", {.threads_per_block = 128, .dynamic_shared_bytes = 227 * 1024 + 1}).blocks_per_sm, 0u);
}

TEST(Occupancy, SmallBlocksAreLimitedByTheirNumber) {
    const auto result = on("t4", {.threads_per_block = 32, .registers_per_thread = 16});
    EXPECT_EQ(result.blocks_per_sm, 16u);
    EXPECT_EQ(result.limiter, "blocks");
    EXPECT_EQ(result.blocks_by_shared, unlimited_blocks);
}

TEST(Occupancy, NamedBarriersCountFromHopperOn) {
    EXPECT_EQ(on("h200", {.threads_per_block = 32, .barriers = 16}).blocks_by_barriers, 4u);
    EXPECT_EQ(on("h200", {.threads_per_block = 32, .barriers = 16}).limiter, "barriers");
    EXPECT_EQ(on("a100", {.threads_per_block = 32, .barriers = 16}).blocks_by_barriers, unlimited_blocks);
}

TEST(Occupancy, BlocksThatCannotRunGiveZeroAndNeverFail) {
    EXPECT_EQ(on("h200", {.threads_per_block = 0}).blocks_per_sm, 0u);
    EXPECT_EQ(on("h200", {.threads_per_block = 1025}).blocks_per_sm, 0u);
    EXPECT_EQ(on("h200", {.threads_per_block = 32, .registers_per_thread = 257}).blocks_per_sm, 0u);
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(on("h200", {.threads_per_block = 32, .static_shared_bytes = most, .dynamic_shared_bytes = most}).blocks_per_sm, 0u);
    constexpr auto most32 = std::numeric_limits<std::uint32_t>::max();
    EXPECT_EQ(on("h200", {.threads_per_block = most32, .registers_per_thread = most32, .barriers = most32}).blocks_per_sm, 0u);
    EXPECT_EQ(occupancy(Limits{}, {9, 0}, {.threads_per_block = 32}).blocks_per_sm, 0u);
    Limits nothing;
    nothing.warp_size = nothing.sub_partitions = nothing.register_allocation_unit = nothing.shared_allocation_unit_bytes = 0;
    nothing.max_warps_per_sm = 0;
    EXPECT_EQ(occupancy(nothing, {9, 0}, {.threads_per_block = 32, .registers_per_thread = 1}).blocks_per_sm, 0u);
}

TEST(Occupancy, Before2xRegistersBelongToBlocks) {
    // cc 1.3: 8 warps * 32 threads * 17 registers = 4352, rounded to 4608 by units of 512: 3 of 16384.
    EXPECT_EQ(on("quadro-fx5800", {.threads_per_block = 256, .registers_per_thread = 17}).blocks_by_registers, 3u);
    EXPECT_EQ(on("quadro-fx5800", {.threads_per_block = 256, .registers_per_thread = 16}).blocks_per_sm, 4u);
}

} // namespace
} // namespace apod::arch
