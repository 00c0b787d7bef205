#include "emu/testing/run_kernel.hpp"

#include <gtest/gtest.h>

namespace apod::emu {
namespace {

using namespace testing;
using Words = std::vector<std::uint32_t>;

const std::string shared_reverse =
    ".shared .align 4 .b8 s[1024];\nmov.u32 %r20, s;\nshl.b32 %r21, %r2, 2;\nadd.s32 %r22, %r20, %r21;\n"
    "st.shared.u32 [%r22], %r2;\nbar.sync 0;\nsub.s32 %r23, 255, %r2;\nshl.b32 %r23, %r23, 2;\nadd.s32 %r24, %r20, %r23;\n"
    "ld.shared.u32 %r10, [%r24];\n" +
    store_r10;

TEST(Block, WarpsExchangeDataThroughSharedMemoryAtABarrier) {
    const Outcome got = run_body(shared_reverse, Words(512), {}, 0, {.grid = {2, 1, 1}, .block = {256, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 512; ++i) EXPECT_EQ(got.a[i], 255 - i % 256);
    EXPECT_EQ(got.execution.barriers, 2u);
    EXPECT_EQ(got.execution.warps_run, 16u);
}

TEST(Block, CountsDoNotDependOnTheNumberOfThreads) {
    const Outcome one = run_body(shared_reverse, Words(256 * 40), {}, 0, {.grid = {40, 1, 1}, .block = {256, 1, 1}, .threads = 1});
    const Outcome four = run_body(shared_reverse, Words(256 * 40), {}, 0, {.grid = {40, 1, 1}, .block = {256, 1, 1}, .threads = 4});
    ASSERT_EQ(one.error + four.error, "");
    ASSERT_EQ(one.execution.counts.size(), four.execution.counts.size());
    for (std::size_t i = 0; i < one.execution.counts.size(); ++i) {
        EXPECT_EQ(one.execution.counts[i].warps, four.execution.counts[i].warps);
        EXPECT_EQ(one.execution.counts[i].threads, four.execution.counts[i].threads);
    }
    EXPECT_EQ(one.a, four.a);
}

TEST(Block, ABlockThatIsNoMultipleOfAWarpHasOnlyItsThreads) {
    const Outcome got = run_body("mov.u32 %r10, 1;\n" + store_r10, Words(96), {}, 0, {.block = {40, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 96; ++i) EXPECT_EQ(got.a[i], i < 40 ? 1u : 0u);
}

TEST(Block, NamedBarriersSynchroniseProducersAndConsumers) {
    // Warp 0 produces and arrives at barrier 1, warp 1 waits there.
    const Outcome got =
        run_body(".shared .align 4 .b8 s[128];\nmov.u32 %r20, s;\nand.b32 %r6, %r2, 31;\nshl.b32 %r21, %r6, 2;\nadd.s32 %r22, %r20, %r21;\n"
                 "setp.ge.u32 %p1, %r2, 32;\n@%p1 bra CONSUMER;\nadd.s32 %r7, %r6, 500;\nst.shared.u32 [%r22], %r7;\n"
                 "bar.arrive 1, 64;\nbra.uni END;\nCONSUMER:\nbar.sync 1, 64;\nld.shared.u32 %r10, [%r22];\n" +
                     store_r10 + "END:\n",
                 Words(64), {}, 0, {.block = {64, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 32; i < 64; ++i) EXPECT_EQ(got.a[i], 500 + i - 32);
}

TEST(Block, BlocksThatWaitForLaterBlocksMakeProgress) {
    // Block i spins until a[i + 1] is set; the last one starts the chain. One worker thread, so waiting blocks must give way.
    const Outcome got =
        run_body("mov.u32 %r6, %nctaid.x;\nsub.s32 %r6, %r6, 1;\nsetp.eq.u32 %p1, %r4, %r6;\nmul.wide.u32 %rd10, %r4, 4;\n"
                 "add.s64 %rd11, %rd1, %rd10;\n@%p1 bra SET;\nSPIN:\nld.acquire.gpu.u32 %r7, [%rd11+4];\nsetp.eq.s32 %p2, %r7, 0;\n"
                 "@%p2 bra SPIN;\nSET:\nmov.u32 %r8, 1;\nst.release.gpu.u32 [%rd11], %r8;\n",
                 Words(20), {}, 0, {.grid = {16, 1, 1}, .block = {1, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(got.a[i], 1u);
}

TEST(Block, DynamicSharedMemoryFollowsTheStatic) {
    const std::string text =
        kernel_text("mov.u32 %r20, dyn;\nmov.u32 %r21, s;\nsub.s32 %r10, %r20, %r21;\nst.shared.u32 [%r20+60], %r2;\n" + store_r10,
                    ".extern .shared .align 16 .b8 dyn[];\n.shared .align 4 .b8 s[20];\n");
    const Outcome got = run_text(text, Words(32), {}, 0, {.dynamic_shared = 64});
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.a[0], 32u);
    const Outcome too_small = run_text(text, Words(32), {}, 0, {.dynamic_shared = 32});
    EXPECT_NE(too_small.error.find("out of bounds"), std::string::npos) << too_small.error;
}

} // namespace
} // namespace apod::emu
