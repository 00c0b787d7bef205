#include "model/counters/block_work.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(BlocksError, IsWhatTheRunsOfASampleDifferBy) {
    std::vector<BlockWork> all;
    std::uint64_t state = 7;
    double whole = 0;
    for (std::uint64_t b = 0; b < 6400; ++b) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        all.push_back({b, 100 + (state >> 33) % 200});
        whole += static_cast<double>(all.back().warp_instructions);
    }
    EXPECT_EQ(blocks_error(all, 6400), 0);
    std::size_t within = 0;
    for (std::ptrdiff_t first = 0; first < 6400; first += 320) {
        const std::vector<BlockWork> some(all.begin() + first, all.begin() + first + 320);
        double sum = 0;
        for (const BlockWork& block : some) sum += static_cast<double>(block.warp_instructions);
        const double error = blocks_error(some, 6400);
        EXPECT_GT(error, 0);
        EXPECT_LT(error, 0.1);
        within += std::abs(20 * sum - whole) <= error * 20 * sum ? 1 : 0;
    }
    EXPECT_GE(within, 18u) << "of 20";
    EXPECT_EQ(blocks_error({{0, 5}}, 2), 0) << "one block says nothing of the others";
}

} // namespace apod::model
