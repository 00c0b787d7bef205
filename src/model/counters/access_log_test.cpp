#include "model/counters/access_log.hpp"

#include <gtest/gtest.h>

namespace apod::model {
namespace {

LineList one_line(std::uint64_t line) {
    LineList lines;
    lines.count = 1;
    lines.line[0] = line;
    lines.mask[0] = 0b0101;
    return lines;
}

TEST(AccessLog, AnAccessKeepsItsLineOpUseAndSectors) {
    const LoggedAccess access(0xff12345678, 70000, LineUse::atomic, 0b1001);
    EXPECT_EQ(access.line(), 0xff12345678u);
    EXPECT_EQ(access.op(), 70000u);
    EXPECT_EQ(access.use(), LineUse::atomic);
    EXPECT_EQ(access.mask(), 0b1001u);
}

TEST(AccessLog, SmallRunsAreKeptWhole) {
    AccessLog log;
    log.begin_block(3);
    for (std::uint64_t line = 0; line < 1000; ++line) log.add(one_line(line), 1, LineUse::load);
    const MergedLog merged = merge_logs({&log});
    EXPECT_EQ(merged.rate, 1u);
    ASSERT_EQ(merged.blocks.size(), 1u);
    EXPECT_EQ(merged.blocks[0].last - merged.blocks[0].first, 1000);
}

// However blocks are shared among workers, the merged log is the same.
TEST(AccessLog, TheRateAndTheKeptLinesDoNotDependOnTheWorkers) {
    const auto run = [](std::size_t workers) {
        std::vector<AccessLog> logs(workers, AccessLog(1000));
        for (std::uint64_t block = 0; block < 40; ++block) {
            AccessLog& log = logs[block % workers];
            log.begin_block(block);
            for (std::uint64_t line = 0; line < 500; ++line) log.add(one_line(block * 100 + line), 1, LineUse::store);
        }
        std::vector<AccessLog*> pointers;
        for (AccessLog& log : logs) pointers.push_back(&log);
        const MergedLog merged = merge_logs(pointers);
        std::vector<std::uint64_t> bits = {merged.rate};
        for (const BlockAccesses& block : merged.blocks) {
            bits.push_back(block.block);
            for (const LoggedAccess* access = block.first; access != block.last; ++access) bits.push_back(access->bits);
        }
        return bits;
    };
    const auto alone = run(1);
    EXPECT_EQ(alone[0], 32u); // 20000 accesses, 1000 kept at most
    EXPECT_EQ(run(2), alone);
    EXPECT_EQ(run(7), alone);
}

TEST(AccessLog, TheRateIsAboutTheShareOfLinesKept) {
    AccessLog log(1000);
    log.begin_block(0);
    for (std::uint64_t line = 0; line < 64000; ++line) log.add(one_line(line), 1, LineUse::load);
    const MergedLog merged = merge_logs({&log});
    EXPECT_EQ(merged.rate, 64u);
    EXPECT_NEAR(static_cast<double>(log.accesses().size()), 1000, 150);
}

TEST(AccessLog, ABlockThatRanInPartsIsOneBlock) {
    AccessLog log;
    log.begin_block(1);
    log.add(one_line(10), 1, LineUse::load);
    log.begin_block(0);
    log.add(one_line(20), 1, LineUse::load);
    log.begin_block(1);
    log.add(one_line(11), 1, LineUse::load);
    const MergedLog merged = merge_logs({&log});
    ASSERT_EQ(merged.blocks.size(), 2u);
    EXPECT_EQ(merged.blocks[0].first->line(), 20u);
    ASSERT_EQ(merged.blocks[1].last - merged.blocks[1].first, 2);
    EXPECT_EQ(merged.blocks[1].first[0].line(), 10u);
    EXPECT_EQ(merged.blocks[1].first[1].line(), 11u);
}

} // namespace
} // namespace apod::model
