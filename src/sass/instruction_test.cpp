#include "sass/instruction.hpp"

#include <gtest/gtest.h>

namespace apod::sass {
namespace {

// The words are those that nvdisasm 13.0 prints beside the instruction, for sm_90.
TEST(Instruction, ABranchLeadsWhereTheDisassemblerSays) {
    const Instruction forward = decode(0x0000000000248947, 0x000fea0003800000, 0x100 / 16, 90); // @!P0 BRA 0x1a0, at 0x100
    EXPECT_EQ(forward.flow, Flow::branch);
    EXPECT_TRUE(forward.guarded);
    EXPECT_EQ(forward.target, 0x1a0u / 16);
    EXPECT_FALSE(forward.only_divergent);
    const Instruction diverged = decode(0x0000000a041c8947, 0x005fea000b800000, 0x890 / 16, 90); // @!P0 BRA.DIV UR4, 0x1110
    EXPECT_EQ(diverged.target, 0x1110u / 16);
    EXPECT_TRUE(diverged.only_divergent);
    const Instruction itself = decode(0xfffffffc00fc7947, 0x000fc0000383ffff, 0x320 / 16, 90); // BRA 0x320, at 0x320
    EXPECT_EQ(itself.target, 0x320u / 16);
    EXPECT_TRUE(is_filling(0xfffffffc00fc7947, itself, 0x320 / 16));
}

TEST(Instruction, WhatTheCompilerWroteForTheSchedulerIsRead) {
    const Instruction load = decode(0x00000a00ff017b82, 0x000e220000000800, 0, 90); // LDC R1, c[0x0][0x28]
    EXPECT_EQ(load.unit, Unit::constant);
    EXPECT_EQ(load.stall, 1);
    EXPECT_EQ(load.write_barrier, 0);
    EXPECT_EQ(load.read_barrier, no_barrier);
    EXPECT_EQ(load.wait_mask, 0);
    const Instruction add = decode(0xffffffe801017836, 0x001fe20000000000, 3, 90); // VIADD R1, R1, 0xffffffe8, waits for it
    EXPECT_EQ(add.unit, Unit::alu);
    EXPECT_EQ(add.wait_mask, 1);
    EXPECT_EQ(add.write_barrier, no_barrier);
    EXPECT_FALSE(add.guarded);
}

TEST(Instruction, PairsOfHalvesGoThroughTheSinglePrecisionUnit) {
    EXPECT_EQ(decode(0x0000000900097231, 0x000fcc0000000000, 0, 90).unit, Unit::fma); // HFMA2 R9, R0, R9, R0
    EXPECT_EQ(decode(0x0000000702077235, 0x004fce0000000002, 0, 90).unit, Unit::fma); // HFMA2.MMA R7, R2, R7, R2
}

TEST(Instruction, AnExitLeavesAndMayBeGuarded) {
    const Instruction exit = decode(0x000000000000094d, 0x000fea0003800000, 8, 90); // @P0 EXIT
    EXPECT_EQ(exit.flow, Flow::leave);
    EXPECT_TRUE(exit.guarded);
}

} // namespace
} // namespace apod::sass
