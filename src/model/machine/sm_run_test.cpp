#include "model/machine/sm_run.hpp"

#include <gtest/gtest.h>

namespace apod::model {
namespace {

MachineCode straight(std::size_t count, std::uint8_t stall) {
    MachineCode code;
    code.kernel.instructions.resize(count);
    for (sass::Instruction& instruction : code.kernel.instructions) instruction.stall = stall;
    code.kernel.instructions.back().flow = sass::Flow::leave;
    code.flow = sass::code_flow(code.kernel.instructions);
    code.op.assign(count, no_op);
    return code;
}

TEST(SmRun, ALoneWarpTakesItsStalls) {
    const MachineCode code = straight(100, 4);
    const SmRun run = run_sm(code, std::vector<InstructionCost>(100), {1}, SmShape{}, 1);
    EXPECT_DOUBLE_EQ(run.instructions, 100);
    EXPECT_NEAR(run.clk, 400, 4);
}

TEST(SmRun, ManyWarpsTakeTheIssueSlotsOfTheirSchedulers) {
    const MachineCode code = straight(100, 4);
    SmShape shape;
    shape.warps_per_block = 32;
    const SmRun run = run_sm(code, std::vector<InstructionCost>(100), {1}, shape, 1);
    EXPECT_NEAR(run.clk, 32 / 4 * 100, 20);
}

TEST(SmRun, WhatWaitsForALoadIssuesWhenItIsThere) {
    MachineCode code = straight(3, 1);
    code.kernel.instructions[0].write_barrier = 2;
    code.kernel.instructions[1].wait_mask = 1 << 2;
    std::vector<InstructionCost> costs(3);
    costs[0].latency = 500;
    EXPECT_NEAR(run_sm(code, costs, {1}, SmShape{}, 1).clk, 502, 2);
}

// Two loads of which each comes from far in half of its executions: waited for together where they walk together, else one after the other.
TEST(SmRun, LoadsThatComeToNewSectorsInTurnsAreWaitedForInTurns) {
    MachineCode code = straight(4, 1);
    code.kernel.instructions[0].write_barrier = 1;
    code.kernel.instructions[1].write_barrier = 2;
    code.kernel.instructions[2].wait_mask = 1 << 1 | 1 << 2;
    code.op = {0, 1, no_op, no_op};
    std::vector<InstructionCost> costs(4);
    for (int load = 0; load < 2; ++load) {
        costs[load].l2_share = 0.5;
        costs[load].l2_more_clk = 300;
    }
    SmShape shape; // one warp after the other
    const double together = run_sm(code, costs, {1}, shape, 100).clk;
    costs[1].phase = 0.5;
    const double in_turns = run_sm(code, costs, {1}, shape, 100).clk;
    EXPECT_NEAR(together, 100 * (0.5 * 300 + 4), 500);
    EXPECT_NEAR(in_turns, 100 * (300 + 4), 500);
}

TEST(SmRun, BlocksThatDoNotFitWaitForThoseThatRun) {
    const MachineCode code = straight(100, 4);
    SmShape shape;
    shape.resident_blocks = 2;
    shape.turnaround_clk = 50;
    const SmRun run = run_sm(code, std::vector<InstructionCost>(100), {1}, shape, 6);
    ASSERT_EQ(run.ends.size(), 6u);
    EXPECT_NEAR(run.clk, 3 * 400 + 2 * 50, 20);
}

TEST(SmRun, ABarrierHoldsTheWarpsOfABlockTogether) {
    MachineCode code = straight(3, 1);
    code.kernel.instructions[1].waits_for_block = true;
    SmShape shape;
    shape.warps_per_block = 8;
    shape.warp_start_clk = 100;
    shape.barrier_clk = 30;
    EXPECT_NEAR(run_sm(code, std::vector<InstructionCost>(3), {1}, shape, 1).clk, 700 + 2 + 30 + 3, 4);
}

} // namespace
} // namespace apod::model
