#include "model/machine/warp_path.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace apod::model {
namespace {

sass::Instruction branch(std::uint32_t target) {
    sass::Instruction instruction;
    instruction.flow = sass::Flow::branch;
    instruction.target = target;
    instruction.guarded = true;
    return instruction;
}

sass::Instruction leave() {
    sass::Instruction instruction;
    instruction.flow = sass::Flow::leave;
    return instruction;
}

// How often 1000 warps visit each block, on average.
std::vector<double> visits(const std::vector<sass::Instruction>& code, const std::vector<double>& frequency) {
    const sass::CodeFlow flow = sass::code_flow(code);
    const PathFinder finder(code, flow, frequency);
    std::vector<double> seen(flow.blocks.size(), 0);
    constexpr int warps = 1000;
    for (int w = 0; w < warps; ++w) {
        WarpPath path;
        finder.begin(path, (w + 0.5) / warps);
        for (std::uint32_t block = 0; block != sass::nowhere; block = finder.next(block, path)) seen[block] += 1.0 / warps;
    }
    return seen;
}

TEST(WarpPath, BlocksAreVisitedAsOftenAsTheyRun) {
    // 0 -> 2 or 1; 1; 2: a loop of itself; 3 leaves
    const std::vector<sass::Instruction> code = {branch(2), sass::Instruction{}, branch(2), leave()};
    const std::vector<double> wanted = {1, 0.25, 7.5, 1};
    const std::vector<double> got = visits(code, wanted);
    for (std::size_t b = 0; b < wanted.size(); ++b) EXPECT_NEAR(got[b], wanted[b], 0.02) << "block " << b;
}

TEST(WarpPath, AFewWarpsDoAllOfWhatFewWarpsEnter) {
    // 0: most warps leave; 1: a loop; 2 leaves
    sass::Instruction guarded = leave();
    guarded.guarded = true;
    const std::vector<sass::Instruction> code = {guarded, branch(1), leave()};
    const sass::CodeFlow flow = sass::code_flow(code);
    const std::vector<double> frequency = {1, 10, 0.125};
    const PathFinder finder(code, flow, {frequency});
    WarpPath path;
    finder.begin(path, 0.05);
    int rounds = 0;
    for (std::uint32_t block = 0; block != sass::nowhere; block = finder.next(block, path)) rounds += block == 1 ? 1 : 0;
    EXPECT_GT(rounds, 5);
}

// while (k < 4 && p(k)) ++k, unrolled: each block leads on or leaves, and few warps come far.
TEST(WarpPath, WhatIsNestedIsReachedByThePartThatReachesIt) {
    sass::Instruction guarded = leave();
    guarded.guarded = true;
    const std::vector<sass::Instruction> code = {guarded, guarded, guarded, guarded, leave()};
    const std::vector<double> wanted = {1, 0.8, 0.4, 0.1, 0.01};
    const std::vector<double> got = visits(code, wanted);
    for (std::size_t b = 0; b < wanted.size(); ++b) EXPECT_NEAR(got[b], wanted[b], 0.005) << "block " << b;
}

// if (p) a; if (p) b; as of one thread of the block: the same warps do both.
TEST(WarpPath, TheSameWarpsGoWhereAPartOfAllGoesAgain) {
    const std::vector<sass::Instruction> code = {branch(2), sass::Instruction{}, branch(4), sass::Instruction{}, leave()};
    const sass::CodeFlow flow = sass::code_flow(code);
    const std::vector<double> frequency = {1, 0.25, 1, 0.25, 1};
    const PathFinder finder(code, flow, frequency);
    for (int w = 0; w < 100; ++w) {
        WarpPath path;
        finder.begin(path, (w + 0.5) / 100);
        std::vector<int> seen(flow.blocks.size(), 0);
        for (std::uint32_t block = 0; block != sass::nowhere; block = finder.next(block, path)) ++seen[block];
        EXPECT_EQ(seen[1], w < 25 ? 1 : 0);
        EXPECT_EQ(seen[3], seen[1]);
    }
}

// Lanes part at 0: the warp does 1 and 2 before it comes to 3; a half of the warps do where only these part.
TEST(WarpPath, AWarpWhoseLanesPartGoesBothWays) {
    sass::Instruction past_the_other_side = branch(3);
    past_the_other_side.guarded = false;
    const std::vector<sass::Instruction> code = {branch(2), past_the_other_side, sass::Instruction{}, leave()};
    for (const std::vector<double>& wanted : {std::vector<double>{1, 1, 1, 1}, {1, 0.9, 0.6, 1}, {1, 0.3, 0.7, 1}}) {
        const std::vector<double> got = visits(code, wanted);
        for (std::size_t b = 0; b < wanted.size(); ++b) EXPECT_NEAR(got[b], wanted[b], 0.03) << "block " << b;
    }
}

TEST(WarpPath, FrequenciesThatCannotBeDoNotHoldAWarpForEver) {
    const std::vector<sass::Instruction> code = {sass::Instruction{}, branch(1), leave()};
    for (const std::vector<double>& frequency : {std::vector<double>{1, 5, 0}, {1, 0, 0}, {1, 0, 3}})
        EXPECT_LT(visits(code, frequency)[1], 100);
}

} // namespace
} // namespace apod::model
