#include "sass/flow.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace apod::sass {
namespace {

Instruction plain() { return {}; }

Instruction branch(std::uint32_t target, bool guarded) {
    Instruction instruction;
    instruction.flow = Flow::branch;
    instruction.unit = Unit::branch;
    instruction.target = target;
    instruction.guarded = guarded;
    return instruction;
}

Instruction leave() {
    Instruction instruction;
    instruction.flow = Flow::leave;
    return instruction;
}

TEST(CodeFlow, ALoopInsideALoopIsFoundWithItsDepth) {
    // 0; outer: 1; inner: 2, 3 -> 2; 4 -> 1; 5 leaves
    const CodeFlow flow = code_flow({plain(), plain(), plain(), branch(2, true), branch(1, true), leave()});
    ASSERT_EQ(flow.blocks.size(), 5u);
    ASSERT_EQ(flow.loops.size(), 2u);
    EXPECT_EQ(flow.depth(0), 0u);
    EXPECT_EQ(flow.depth(1), 1u);
    EXPECT_EQ(flow.depth(2), 2u);
    EXPECT_EQ(flow.depth(3), 1u);
    EXPECT_EQ(flow.depth(4), 0u);
    EXPECT_EQ(flow.loops[1].parent, 0u);
}

TEST(CodeFlow, ABackwardBranchFromCodeThatLiesBehindTheEndIsNoLoop) {
    // 0 -> 3 if; 1; 2 leaves; 3 -> 1: out of line
    const CodeFlow flow = code_flow({branch(3, true), plain(), leave(), branch(1, false)});
    EXPECT_TRUE(flow.loops.empty());
}

TEST(CodeFlow, WhatOnlyCallsReachIsASubroutineAndTheCallBesideTheUsualWayIsRare) {
    Instruction call = branch(4, false);
    call.flow = Flow::call;
    // 0 -> 2 if; 1 calls 4; 2; 3 leaves; 4 returns
    const CodeFlow flow = code_flow({branch(2, true), call, plain(), leave(), leave()});
    ASSERT_EQ(flow.blocks.size(), 4u);
    EXPECT_TRUE(flow.blocks[1].rare);
    EXPECT_FALSE(flow.blocks[2].subroutine);
    EXPECT_TRUE(flow.blocks[3].subroutine);
}

TEST(CodeFlow, TheWayBackFromTheSlowPathIsRareToo) {
    // 0: to 3 if; 1: calls 5; 2: to 4; 3: the usual way; 4 leaves; 5: subroutine
    Instruction call;
    call.flow = Flow::call;
    call.target = 5;
    const CodeFlow flow = code_flow({branch(3, true), call, branch(4, false), plain(), leave(), leave()});
    ASSERT_EQ(flow.blocks.size(), 6u);
    EXPECT_TRUE(flow.blocks[1].rare);
    EXPECT_TRUE(flow.blocks[2].rare);
    for (const std::uint32_t usual : {0, 3, 4}) EXPECT_FALSE(flow.blocks[usual].rare) << usual;
}

TEST(CodeFlow, WaysMeetWhereAllOfThemLead) {
    // 0: to 4 if; 1: to 3 if; 2; 3: to 5; 4: the other side; 5: loop of itself; 6 leaves
    const CodeFlow flow = code_flow({branch(4, true), branch(3, true), plain(), branch(5, false), plain(), branch(5, true), leave()});
    ASSERT_EQ(flow.blocks.size(), 7u);
    EXPECT_EQ(flow.join, (std::vector<std::uint32_t>{5, 3, 3, 5, 5, 6, nowhere}));
}

TEST(CodeFlow, NothingComesOfNoCode) { EXPECT_TRUE(code_flow({}).blocks.empty()); }

// Whether a way leads from `from` out of the code, or back to itself for ever, without `without`.
bool gets_away(const CodeFlow& flow, std::uint32_t from, std::uint32_t without) {
    std::vector<bool> seen(flow.blocks.size(), false);
    std::vector<std::uint32_t> open = {from};
    while (!open.empty()) {
        const std::uint32_t block = open.back();
        open.pop_back();
        if (block == without || seen[block]) continue;
        seen[block] = true;
        if (flow.blocks[block].successors.empty()) return true;
        for (const std::uint32_t to : flow.blocks[block].successors) open.push_back(to);
    }
    return false;
}

TEST(CodeFlow, JoinsAreWhatAllWaysOutComeByAndLoopsWithoutAWayOutEndTheSearchToo) {
    for (unsigned seed = 0; seed < 4000; ++seed) {
        std::mt19937 random(seed);
        const std::uint32_t length = 4 + random() % 16;
        std::vector<Instruction> code;
        for (std::uint32_t i = 0; i < length; ++i) {
            const unsigned kind = random() % 5;
            code.push_back(kind < 2 ? plain() : kind == 2 ? branch(random() % length, false) : branch(random() % length, true));
        }
        code.push_back(leave());
        const CodeFlow flow = code_flow(code);
        const auto blocks = static_cast<std::uint32_t>(flow.blocks.size());
        bool all_leave = true;
        for (std::uint32_t b = 0; b < blocks; ++b) all_leave = all_leave && gets_away(flow, b, nowhere);
        if (!all_leave) continue; // it is enough that it ended
        for (std::uint32_t b = 0; b < blocks; ++b) {
            std::uint32_t nearest = nowhere; // the one that all others of them come behind
            for (std::uint32_t p = 0; p < blocks; ++p)
                if (p != b && !gets_away(flow, b, p) && (nearest == nowhere || gets_away(flow, p, nearest) == false)) nearest = p;
            ASSERT_EQ(flow.join[b], nearest) << "block " << b << ", seed " << seed;
        }
    }
}

} // namespace
} // namespace apod::sass
