#include "model/cache/hierarchy.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace apod::model {
namespace {

// Blocks of accesses, each its own vector.
struct Log {
    std::vector<std::vector<LoggedAccess>> blocks;
    [[nodiscard]] MergedLog merged() const {
        MergedLog log;
        for (std::size_t b = 0; b < blocks.size(); ++b) log.blocks.push_back({b, blocks[b].data(), blocks[b].data() + blocks[b].size()});
        return log;
    }
};

HierarchyShape shape(std::uint32_t sms = 1) {
    HierarchyShape result;
    result.sm_count = sms;
    result.l1_bytes = 16 * 128;
    result.l2_bytes = 64 * 128;
    return result;
}

TEST(Hierarchy, ASecondLoadOfALineHitsL1AndOnlyTheFirstReadsDram) {
    const Log log{{{LoggedAccess(1, 0, LineUse::load, 15), LoggedAccess(1, 1, LineUse::load, 15)}}};
    const CacheResult result = simulate(log.merged(), 2, shape());
    EXPECT_EQ(result.ops[0].l1_hits, 0);
    EXPECT_EQ(result.ops[1].l1_hits, 4);
    EXPECT_EQ(result.l2_read_sectors, 4);
    EXPECT_EQ(result.dram_read_bytes, 128);
    EXPECT_EQ(result.footprint_read_bytes, 128);
}

TEST(Hierarchy, EverySmHasAnL1OfItsOwnAndAllShareL2) {
    const Log log{{{LoggedAccess(1, 0, LineUse::load, 15)}, {LoggedAccess(1, 0, LineUse::load, 15)}}};
    const CacheResult result = simulate(log.merged(), 1, shape(2));
    EXPECT_EQ(result.ops[0].l1_hits, 0);
    EXPECT_EQ(result.ops[0].l2_hits, 4);
    EXPECT_EQ(result.dram_read_bytes, 128);
}

TEST(Hierarchy, AStoreFetchesNothingAndStaysInL2) {
    const Log log{{{LoggedAccess(5, 0, LineUse::store, 3), LoggedAccess(5, 1, LineUse::load, 3)}}};
    const CacheResult result = simulate(log.merged(), 2, shape());
    EXPECT_EQ(result.l2_write_sectors, 2);
    EXPECT_EQ(result.dram_read_bytes, 0);
    EXPECT_EQ(result.ops[1].l2_hits, 2);
    EXPECT_EQ(result.dram_written_back_bytes, 0);
    EXPECT_EQ(result.dram_dirty_bytes, 64);
}

TEST(Hierarchy, MoreDirtyDataThanL2HoldsIsWrittenBack) {
    Log log;
    log.blocks.emplace_back();
    for (std::uint64_t line = 0; line < 100; ++line) log.blocks[0].emplace_back(line, 0, LineUse::store, 15);
    const CacheResult result = simulate(log.merged(), 1, shape());
    EXPECT_EQ(result.dram_written_back_bytes, 36 * 128);
    EXPECT_EQ(result.dram_dirty_bytes, 64 * 128);
    EXPECT_EQ(result.footprint_write_bytes, 100 * 128);
}

TEST(Hierarchy, DramIsReadInItsGranules) {
    HierarchyShape wide = shape();
    wide.fetch_bytes = 64;
    const Log log{{{LoggedAccess(1, 0, LineUse::load, 1), LoggedAccess(1, 0, LineUse::load, 2)}}};
    const CacheResult result = simulate(log.merged(), 1, wide);
    EXPECT_EQ(result.dram_read_bytes, 64);
    EXPECT_EQ(result.ops[0].l2_hits, 1);
}

TEST(Hierarchy, AtomicsPassL1ReadAndWriteL2) {
    const Log log{{{LoggedAccess(1, 0, LineUse::atomic, 1), LoggedAccess(1, 0, LineUse::atomic, 1)}}};
    const CacheResult result = simulate(log.merged(), 1, shape());
    EXPECT_EQ(result.l2_read_sectors, 2);
    EXPECT_EQ(result.l2_write_sectors, 2);
    EXPECT_EQ(result.ops[0].l1_hits, 0);
    EXPECT_EQ(result.ops[0].l2_hits, 1);
}

LoggedAccess load(std::uint64_t line, std::uint32_t turn, std::uint32_t warp) { return {line, 0, LineUse::load, 15, turn, warp}; }

TEST(Hierarchy, WhoAsksForALineThatAnotherWarpHasJustAskedForWaitsAsLong) {
    const Log together{{{load(1, 0, 0), load(1, 0, 1)}}};
    const CacheResult waits = simulate(together.merged(), 1, shape());
    EXPECT_EQ(waits.ops[0].l1_hits, 4);
    EXPECT_EQ(waits.ops[0].requests, 2);
    EXPECT_EQ(waits.ops[0].l2_requests, 2);
    EXPECT_EQ(waits.ops[0].dram_requests, 2);
    const Log later{{{load(1, 0, 0), load(1, 1, 1)}}}; // a request of that warp later the data is there
    EXPECT_EQ(simulate(later.merged(), 1, shape()).ops[0].dram_requests, 1);
    const Log alone{{{load(1, 0, 0), load(1, 1, 0)}}}; // a warp that asks again waited before
    EXPECT_EQ(simulate(alone.merged(), 1, shape()).ops[0].l2_requests, 1);
    const Log elsewhere{{{load(1, 0, 0)}, {load(1, 0, 0)}}}; // on another SM: L2 has the line, but not yet
    EXPECT_EQ(simulate(elsewhere.merged(), 1, shape(2)).ops[0].dram_requests, 2);
}

// Two warps read a line's sectors one by one, as those of a tile's row: the second asks for each at the same time as the first, though the
// first has gone on to the others before the second one's turn in the log comes.
TEST(Hierarchy, ASectorIsWaitedForThoughOthersOfItsLineWereFetchedSince) {
    Log log{{{}}};
    for (std::uint32_t warp = 0; warp < 2; ++warp)
        for (std::uint32_t sector = 0; sector < 4; ++sector) log.blocks[0].emplace_back(1, warp, LineUse::load, 1u << sector, sector, warp);
    const CacheResult result = simulate(log.merged(), 2, shape());
    EXPECT_EQ(result.ops[1].l1_hits, 4);
    EXPECT_EQ(result.ops[1].requests, 4);
    EXPECT_EQ(result.ops[1].dram_requests, 4);
}

TEST(Hierarchy, ARequestWaitsForTheFurthestOfItsLines) {
    const Log log{{{load(1, 0, 0), load(1, 9, 0), load(2, 9, 0)}}};
    const CacheResult result = simulate(log.merged(), 1, shape());
    EXPECT_EQ(result.ops[0].lines, 3);
    EXPECT_EQ(result.ops[0].dram_lines, 2);
    EXPECT_EQ(result.ops[0].requests, 2);
    EXPECT_EQ(result.ops[0].dram_requests, 2);
}

TEST(Hierarchy, LocalMemoryBelongsToThePlaceThatABlockRunsIn) {
    const auto word = [](LineUse use) { return LoggedAccess(7, 0, use, 15, 0, 0, true); };
    const std::vector<LoggedAccess> block = {word(LineUse::store), word(LineUse::load)};
    const Log log{{block, block, block}};
    const CacheResult result = simulate(log.merged(), 1, shape(2)); // two places, so that the third block finds the first one's line
    EXPECT_EQ(result.l2_write_sectors, 12);
    EXPECT_EQ(result.ops[0].l1_hits, 12);
    EXPECT_EQ(result.dram_read_bytes, 0);
    EXPECT_EQ(result.dram_dirty_bytes, 2 * 128);
    EXPECT_EQ(result.footprint_bytes, 2 * 128);
    EXPECT_EQ(result.footprint_write_bytes, 0); // none of it is the problem's data
}

// Blocks that read a part of their own and something that all share, at random, and write.
Log random_log(std::uint64_t seed) {
    Log log;
    std::uint64_t state = seed * 2 + 1;
    const auto next = [&state] { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33; };
    for (std::uint64_t b = 0; b < 64; ++b) {
        std::vector<LoggedAccess>& block = log.blocks.emplace_back();
        for (std::uint32_t k = 0; k < 2000; ++k) {
            const std::uint64_t line = next() % 3 == 0 ? next() % 4000 : 10000 + b * 300 + next() % 600;
            block.emplace_back(line, 0, next() % 4 == 0 ? LineUse::store : LineUse::load, 1 + next() % 15, k, 0);
        }
    }
    return log;
}

Log sampled(const Log& log, std::uint64_t rate) {
    Log part;
    for (const auto& block : log.blocks) {
        part.blocks.emplace_back();
        for (const LoggedAccess& access : block)
            if (is_sampled(access.line(), rate)) part.blocks.back().push_back(access);
    }
    return part;
}

TEST(Hierarchy, TheTruthLiesWithinTheSamplesStatedError) {
    std::size_t asked = 0;
    std::size_t within = 0;
    HierarchyShape large = shape(8);
    large.l1_bytes = 512 * 128;
    large.l2_bytes = 8192 * 128;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const Log log = random_log(seed);
        const CacheResult truth = simulate(log.merged(), 1, large);
        EXPECT_EQ(truth.errors.l2_reads, 0);
        for (const std::uint64_t rate : {2, 8}) {
            const Log part = sampled(log, rate);
            MergedLog merged = part.merged();
            merged.rate = rate;
            const CacheResult guess = simulate(merged, 1, large);
            const auto check = [&](double value, double error, double real) {
                EXPECT_GT(error, 0);
                EXPECT_LT(error, 0.3);
                ++asked;
                within += std::abs(value - real) <= error * value ? 1 : 0;
            };
            check(guess.l2_read_sectors, guess.errors.l2_reads, truth.l2_read_sectors);
            check(guess.l2_write_sectors, guess.errors.l2_writes, truth.l2_write_sectors);
            check(guess.dram_read_bytes, guess.errors.dram_reads, truth.dram_read_bytes);
            check(guess.ops[0].l1_hits, guess.errors.l1_hits, truth.ops[0].l1_hits);
        }
    }
    EXPECT_GE(static_cast<double>(within), 0.9 * static_cast<double>(asked)) << within << " of " << asked;
}

} // namespace
} // namespace apod::model
