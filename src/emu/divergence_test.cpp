#include "emu/testing/run_kernel.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace apod::emu {
namespace {

using namespace testing;
using Words = std::vector<std::uint32_t>;

TEST(Divergence, BothSidesOfABranchRunAndTheLanesMeetAgain) {
    const Outcome got = run_body("and.b32 %r6, %r2, 1;\nsetp.eq.s32 %p1, %r6, 0;\n@%p1 bra EVEN;\nmov.u32 %r10, 7;\nbra.uni JOIN;\n"
                                 "EVEN:\nmov.u32 %r10, 5;\nJOIN:\nactivemask.b32 %r11;\nadd.s32 %r10, %r10, %r11;\n" +
                                     store_r10,
                                 Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.a[i], (i % 2 == 0 ? 5u : 7u) + 0xffffffffu) << i;
}

TEST(Divergence, LanesLeaveALoopOneByOne) {
    const Outcome got = run_body(
        "mov.u32 %r10, 0;\nLOOP:\nadd.s32 %r10, %r10, 1;\nsetp.le.u32 %p1, %r10, %r2;\n@%p1 bra LOOP;\n" + store_r10, Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.a[i], i + 1);
    // 32 rounds of 3 instructions for the warp: a lockstep warp pays for its slowest lane only.
    std::uint64_t loop_ops = 0;
    for (const OpCount& count : got.execution.counts) {
        if (count.warps != 32) continue;
        ++loop_ops;
        EXPECT_EQ(count.threads, 32u * 33 / 2);
    }
    EXPECT_EQ(loop_ops, 3u);
}

TEST(Divergence, NestedBranchesInALoopKeepEveryLanesOwnPath) {
    // Collatz steps of lane + 1, with a branch in the loop.
    const Outcome got =
        run_body("add.s32 %r6, %r2, 1;\nmov.u32 %r10, 0;\nHEAD:\nsetp.eq.u32 %p1, %r6, 1;\n@%p1 bra DONE;\nand.b32 %r7, %r6, 1;\n"
                 "setp.eq.u32 %p2, %r7, 0;\n@%p2 bra EVEN;\nmad.lo.u32 %r6, %r6, 3, 1;\nbra.uni NEXT;\nEVEN:\nshr.u32 %r6, %r6, 1;\n"
                 "NEXT:\nadd.s32 %r10, %r10, 1;\nbra.uni HEAD;\nDONE:\n" +
                     store_r10,
                 Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) {
        std::uint32_t steps = 0;
        for (std::uint32_t v = i + 1; v != 1; ++steps) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        EXPECT_EQ(got.a[i], steps) << i;
    }
}

TEST(Divergence, LanesThatReturnEarlyDoNotHoldUpTheOthers) {
    const Outcome got = run_body("setp.lt.u32 %p1, %r2, 10;\n@%p1 ret;\nmov.u32 %r10, 1;\nbar.sync 0;\n" + store_r10, Words(64), {}, 0,
                                 {.block = {64, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(got.a[i], i < 10 ? 0u : 1u);
}

TEST(Divergence, AGuardedInstructionTouchesOnlyItsLanes) {
    const Outcome got =
        run_body("setp.gt.u32 %p1, %r2, 20;\nmov.u32 %r10, 3;\n@%p1 mov.u32 %r10, 4;\n@!%p1 add.s32 %r10, %r10, 10;\n" + store_r10,
                 Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.a[i], i > 20 ? 4u : 13u);
}

TEST(Divergence, ALockThatTheLanesOfOneWarpTakeInTurnIsNoDeadlock) {
    // while (atomicCAS(lock, 0, 1) != 0); a[1] += 1; lock = 0;  with lane-private control flow.
    const Outcome got = run_body("TRY:\natom.global.cas.b32 %r6, [%rd1], 0, 1;\nsetp.ne.s32 %p1, %r6, 0;\n@%p1 bra TRY;\n"
                                 "ld.volatile.global.u32 %r7, [%rd1+4];\nadd.s32 %r7, %r7, 1;\nst.volatile.global.u32 [%rd1+4], %r7;\n"
                                 "membar.gl;\natom.global.exch.b32 %r8, [%rd1], 0;\n",
                                 Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.a[1], 32u);
    EXPECT_EQ(got.a[0], 0u);
}

TEST(Divergence, AShuffleWaitsForTheLanesOfItsMemberMask) {
    // Odd lanes take a detour; all meet at a shuffle that the two paths reach at different times.
    const Outcome got =
        run_body("and.b32 %r6, %r2, 1;\nsetp.eq.u32 %p1, %r6, 0;\nmov.u32 %r7, %r2;\n@%p1 bra MEET;\nadd.s32 %r7, %r7, 100;\n"
                 "MEET:\nshfl.sync.bfly.b32 %r10, %r7, 1, 31, -1;\n" +
                     store_r10,
                 Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.a[i], i % 2 == 0 ? i + 101 : i - 1);
}

TEST(Divergence, AShuffleDoesNotWaitForLanesThatWouldMeetTheOthersBehindIt) {
    // if (lane < 12) shuffle among all lanes; the rest skip it and leave.
    const Outcome got = run_body("mov.u32 %r10, 7;\nsetp.ge.u32 %p1, %r2, 12;\n@%p1 bra SKIP;\n"
                                 "shfl.sync.bfly.b32 %r10, %r2, 1, 31, -1;\nSKIP:\n" +
                                     store_r10,
                                 Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.a[i], i < 12 ? i ^ 1u : 7u) << i;
}

TEST(Divergence, ABarrierInALoopDoesNotWaitForLanesThatHaveLeftTheLoopForTheEnd) {
    // for (n = 0; n < lane; ++n) __syncthreads(); in two warps: lanes leave one by one and return.
    const Outcome got = run_body("mov.u32 %r10, 0;\nHEAD:\nsetp.ge.u32 %p1, %r10, %r2;\n@%p1 bra DONE;\nbar.sync 0;\n"
                                 "add.s32 %r10, %r10, 1;\nbra.uni HEAD;\nDONE:\n" +
                                     store_r10,
                                 Words(64), {}, 0, {.block = {64, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(got.a[i], i) << i;
}

TEST(Divergence, AnIndexedBranchSendsEachLaneToItsTarget) {
    const Outcome got =
        run_body("and.b32 %r6, %r2, 3;\nLIST: .branchtargets A, B, C, D;\nbrx.idx %r6, LIST;\nA:\nmov.u32 %r10, 10;\nbra.uni E;\n"
                 "B:\nmov.u32 %r10, 11;\nbra.uni E;\nC:\nmov.u32 %r10, 12;\nbra.uni E;\nD:\nmov.u32 %r10, 13;\nE:\n" +
                     store_r10,
                 Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.a[i], 10 + i % 4);
}

} // namespace
} // namespace apod::emu
