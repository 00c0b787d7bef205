#include "model/counters/longest_warp.hpp"

#include <gtest/gtest.h>

namespace apod::model {
namespace {

// One block of two warps, of which the second makes `more` requests of op 1 and is `longest` instructions long.
void run_block(LongestWarp& warps, std::uint64_t block, std::uint32_t more, std::uint64_t longest) {
    warps.begin_block();
    for (const std::uint32_t warp : {0u, 1u}) warps.add(0, warp);
    for (std::uint32_t i = 0; i < more; ++i) warps.add(1, 1);
    emu::BlockEvent event;
    event.block = block;
    event.longest_warp = longest;
    warps.end_block(event);
}

TEST(LongestWarp, KeepsTheRequestsOfTheLongestWarpOfAll) {
    LongestWarp warps(2);
    run_block(warps, 0, 3, 30);
    run_block(warps, 1, 7, 70);
    run_block(warps, 2, 5, 50);
    EXPECT_EQ(warps.requests(), (std::vector<std::uint32_t>{1, 7}));
}

TEST(LongestWarp, WhoRanWhichBlockDoesNotMatter) {
    LongestWarp first(2);
    LongestWarp second(2);
    run_block(first, 4, 6, 70);
    run_block(second, 1, 7, 70);
    LongestWarp one_way(2);
    one_way.merge(first);
    one_way.merge(second);
    LongestWarp other_way(2);
    other_way.merge(second);
    other_way.merge(first);
    EXPECT_EQ(one_way.requests(), (std::vector<std::uint32_t>{1, 7}));
    EXPECT_EQ(other_way.requests(), one_way.requests());
}

TEST(LongestWarp, ABlockThatRanInPartsIsLeftOut) {
    LongestWarp warps(2);
    warps.begin_block();
    warps.add(1, 0);
    warps.resume_block();
    warps.add(1, 0);
    emu::BlockEvent event;
    event.longest_warp = 9;
    warps.end_block(event);
    EXPECT_TRUE(warps.requests().empty());
    run_block(warps, 1, 2, 5);
    EXPECT_EQ(warps.requests(), (std::vector<std::uint32_t>{1, 2}));
}

} // namespace
} // namespace apod::model
