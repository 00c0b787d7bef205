#include "emu/check/clocks.hpp"

#include <gtest/gtest.h>

namespace apod::emu {

namespace {

constexpr std::uint32_t all_lanes = 0xffffffffu;

void block_barrier(BlockClocks& clocks, std::uint32_t warps) {
    BarrierClock barrier;
    for (std::uint32_t w = 0; w < warps; ++w) clocks.arrive(barrier, w, all_lanes);
    const Clock done = clocks.complete(barrier);
    for (std::uint32_t w = 0; w < warps; ++w) clocks.pass(done, w, all_lanes);
}

} // namespace

TEST(BlockClocks, ThreadsKnowNothingOfEachOtherAtFirstAndEverythingBehindABarrier) {
    BlockClocks clocks;
    clocks.start(3, 64);
    const std::uint32_t tick = clocks.now(40);
    EXPECT_TRUE(clocks.knows(40, 3, 40, tick));
    EXPECT_FALSE(clocks.knows(41, 3, 40, tick));
    EXPECT_FALSE(clocks.knows(0, 3, 40, tick));
    block_barrier(clocks, 2);
    EXPECT_TRUE(clocks.knows(0, 3, 40, tick));
    EXPECT_FALSE(clocks.knows(0, 3, 40, clocks.now(40))); // what comes after it
}

TEST(BlockClocks, AWarpsSynchronisationOrdersItsMembersAlone) {
    BlockClocks clocks;
    clocks.start(0, 64);
    const std::uint32_t tick = clocks.now(1);
    clocks.sync_warp(0, 0x0000ffffu);
    EXPECT_TRUE(clocks.knows(0, 0, 1, tick));
    EXPECT_FALSE(clocks.knows(16, 0, 1, tick));
    EXPECT_FALSE(clocks.knows(33, 0, 1, tick));
}

TEST(BlockClocks, AFenceAndAFlagHandOverWhatCameBeforeTheFence) {
    BlockClocks writer, reader;
    writer.start(0, 32);
    reader.start(1, 32);
    SyncPlace flag;
    const std::uint32_t before = writer.now(0);
    writer.publish(0, flag, false, false, FenceScope::device); // no fence yet: nothing is handed on
    reader.observe(5, flag, true);
    EXPECT_FALSE(reader.knows(5, 0, 0, before));
    writer.fence(0, 1, FenceScope::device);
    const std::uint32_t after = writer.now(0);
    writer.publish(0, flag, false, false, FenceScope::device);
    reader.observe(5, flag, false);
    EXPECT_FALSE(reader.knows(5, 0, 0, before)); // the reader's own fence is missing
    reader.fence(0, 1u << 5, FenceScope::device);
    EXPECT_TRUE(reader.knows(5, 0, 0, before));
    EXPECT_FALSE(reader.knows(5, 0, 0, after));
    EXPECT_FALSE(reader.knows(6, 0, 0, before));
    block_barrier(reader, 1);
    EXPECT_TRUE(reader.knows(6, 0, 0, before)); // barriers pass it on
}

TEST(BlockClocks, AFenceOfTheBlocksScopeHandsNothingToOtherBlocks) {
    BlockClocks writer, reader;
    writer.start(0, 64);
    reader.start(1, 32);
    SyncPlace flag;
    const std::uint32_t before = writer.now(0);
    writer.fence(0, 1, FenceScope::block);
    writer.publish(0, flag, false, false, FenceScope::device);
    reader.observe(0, flag, true);
    EXPECT_FALSE(reader.knows(0, 0, 0, before));
    writer.observe(40, flag, true);
    EXPECT_TRUE(writer.knows(40, 0, 0, before));
}

TEST(BlockClocks, ACounterGathersTheReleasesOfAThousandBlocksForTheLast) {
    SyncPlace counter;
    std::uint32_t tick = 0;
    for (std::uint64_t b = 0; b < 1000; ++b) {
        BlockClocks block;
        block.start(b, 32);
        tick = block.now(0);
        block.fence(0, 1, FenceScope::device);
        block.observe(0, counter, true);
        block.publish(0, counter, true, false, FenceScope::device);
    }
    BlockClocks last;
    last.start(1000, 32);
    last.observe(0, counter, true);
    for (const std::uint64_t b : {0u, 1u, 500u, 999u}) EXPECT_TRUE(last.knows(0, b, 0, tick)) << b;
    EXPECT_FALSE(last.knows(0, 999, 1, tick));
}

} // namespace apod::emu
