#include "model/counters/block_work.hpp"

#include <gtest/gtest.h>

namespace apod::model {
namespace {

std::vector<BlockWork> blocks(const std::vector<std::uint64_t>& instructions) {
    std::vector<BlockWork> all;
    for (std::uint64_t block = 0; block < instructions.size(); ++block) all.push_back({block, instructions[block]});
    return all;
}

TEST(Imbalance, IsNoneForBlocksThatAreAlike) {
    EXPECT_DOUBLE_EQ(imbalance(blocks({7, 7, 7, 7}), 2, 1), 1);
    EXPECT_DOUBLE_EQ(imbalance(blocks({7, 7, 7}), 2, 1), 1); // the tail is no imbalance
    EXPECT_DOUBLE_EQ(imbalance({}, 2, 1), 1);
    EXPECT_DOUBLE_EQ(imbalance(blocks({0, 0}), 2, 1), 1);
}

TEST(Imbalance, IsTheBusiestSmOverTheAverageOne) {
    EXPECT_DOUBLE_EQ(imbalance(blocks({30, 10}), 2, 1), 1.5);
    EXPECT_DOUBLE_EQ(imbalance(blocks({30, 10, 10, 10}), 2, 1), 1); // the other SM takes the three short ones
    EXPECT_DOUBLE_EQ(imbalance(blocks({30, 10, 10, 10}), 2, 2), 40.0 / 30);
}

} // namespace
TEST(LongestWarp, IsToldByHowManyTimesItIsTheAverageOne) {
    std::vector<BlockWork> all = {{0, 400, 100}, {1, 1000, 700}, {2, 400, 100}}; // 12 warps, 150 on average
    EXPECT_DOUBLE_EQ(longest_warp(all, 4), 700 / 150.0);
    all[1] = {1, 400, 100};
    EXPECT_DOUBLE_EQ(longest_warp(all, 4), 1);
    EXPECT_DOUBLE_EQ(longest_warp({}, 4), 1);
}

} // namespace apod::model
