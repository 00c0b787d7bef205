#include "model/cache/hierarchy.hpp"

#include <gtest/gtest.h>

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

} // namespace
} // namespace apod::model
