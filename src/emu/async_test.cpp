#include "emu/testing/run_kernel.hpp"

#include <gtest/gtest.h>

namespace apod::emu {
namespace {

using namespace testing;
using Words = std::vector<std::uint32_t>;

Words ramp(std::uint32_t count) {
    Words words(count);
    for (std::uint32_t i = 0; i < count; ++i) words[i] = 100 + i;
    return words;
}

TEST(Async, ACopyToSharedMemoryArrivesAndItsRestIsZero) {
    // Lane i copies 16 bytes; of lane 3 only 4 are read, of lane 4 none.
    const Outcome got =
        run_body(".shared .align 16 .b8 s[512];\nmov.u32 %r20, s;\nshl.b32 %r21, %r2, 4;\nadd.s32 %r22, %r20, %r21;\n"
                 "mul.wide.u32 %rd10, %r2, 16;\nadd.s64 %rd11, %rd2, %rd10;\nmov.u32 %r23, 16;\nsetp.eq.u32 %p1, %r2, 3;\n"
                 "@%p1 mov.u32 %r23, 4;\nsetp.eq.u32 %p2, %r2, 4;\n@%p2 mov.u32 %r23, 0;\n"
                 "cp.async.cg.shared.global [%r22], [%rd11], 16, %r23;\ncp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\n"
                 "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r22];\nadd.s64 %rd12, %rd1, %rd10;\n"
                 "st.global.v4.u32 [%rd12], {%r10, %r11, %r12, %r13};\n",
                 Words(128), ramp(128), 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(got.a[i], i / 4 == 4 || (i / 4 == 3 && i % 4 != 0) ? 0u : 100 + i) << i;
}

TEST(Async, WarpsMeetAtAnMbarrierByItsState) {
    const Outcome got = run_body(
        ".shared .align 8 .b8 m[8];\n.shared .align 4 .b8 s[256];\nmov.u32 %r19, m;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra READY;\n"
        "mbarrier.init.shared.b64 [%r19], 64;\nREADY:\nbar.sync 0;\nmov.u32 %r20, s;\nshl.b32 %r21, %r2, 2;\nadd.s32 %r22, %r20, %r21;\n"
        "st.shared.u32 [%r22], %r2;\nmbarrier.arrive.shared.b64 %rd20, [%r19];\nWAIT:\n"
        "mbarrier.test_wait.shared.b64 %p2, [%r19], %rd20;\n@!%p2 bra WAIT;\nsub.s32 %r23, 63, %r2;\nshl.b32 %r23, %r23, 2;\n"
        "add.s32 %r24, %r20, %r23;\nld.shared.u32 %r10, [%r24];\n" +
            store_r10,
        Words(64), {}, 0, {.block = {64, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(got.a[i], 63 - i);
}

TEST(Async, ABulkCopyCompletesTheBytesThatItsMbarrierExpects) {
    const Outcome got =
        run_body(".shared .align 16 .b8 s[128];\n.shared .align 8 .b8 m[8];\nmov.u32 %r19, m;\nmov.u32 %r20, s;\nsetp.ne.u32 %p1, %r2, 0;\n"
                 "@%p1 bra READY;\nmbarrier.init.shared.b64 [%r19], 1;\nREADY:\nbar.sync 0;\n@%p1 bra WAIT;\nmov.u32 %r21, 128;\n"
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r20], [%rd2], %r21, [%r19];\n"
                 "mbarrier.arrive.expect_tx.shared.b64 %rd20, [%r19], %r21;\nWAIT:\n"
                 "mbarrier.try_wait.parity.shared.b64 %p2, [%r19], 0;\n@!%p2 bra WAIT;\nshl.b32 %r22, %r2, 2;\nadd.s32 %r23, %r20, %r22;\n"
                 "ld.shared.u32 %r10, [%r23];\n" +
                     store_r10,
                 Words(32), ramp(32), 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.a[i], 100 + i);
}

} // namespace
} // namespace apod::emu
