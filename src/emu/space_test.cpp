// Address spaces: what isspacep says of each, kernel parameters through generic addresses, accesses of 32 bytes, cache policies.
#include "emu/testing/run_kernel.hpp"

#include <gtest/gtest.h>

namespace apod::emu {
namespace {

using namespace testing;
using Words = std::vector<std::uint32_t>;

// The spaces of one generic address as bits: global 1, const 2, shared 4, local 8, param 16.
const std::string ask =
    "isspacep.global %p1, %rd20;\nisspacep.const %p2, %rd20;\nisspacep.shared %p3, %rd20;\nisspacep.local %p4, %rd20;\nisspacep.param %p5, "
    "%rd20;\n"
    "mov.u32 %r10, 0;\n@%p1 or.b32 %r10, %r10, 1;\n@%p2 or.b32 %r10, %r10, 2;\n@%p3 or.b32 %r10, %r10, 4;\n@%p4 or.b32 %r10, %r10, 8;\n"
    "@%p5 or.b32 %r10, %r10, 16;\n";

TEST(Spaces, EachGenericAddressIsInOneSpace) {
    struct Case {
        const char* code;
        std::uint32_t wanted;
    };
    constexpr Case cases[] = {{"mov.u64 %rd20, %rd1;\n", 1},
                              {"mov.u64 %rd20, table;\ncvta.const.u64 %rd20, %rd20;\nadd.s64 %rd20, %rd20, 12;\n", 2},
                              {"mov.u64 %rd20, counter;\ncvta.global.u64 %rd20, %rd20;\n", 1},
                              {".shared .b8 s[64];\nmov.u64 %rd20, s;\ncvta.shared.u64 %rd20, %rd20;\n", 4},
                              {".local .b8 l[64];\nmov.u64 %rd20, l;\ncvta.local.u64 %rd20, %rd20;\n", 8},
                              {"mov.b64 %rd20, n;\ncvta.param.u64 %rd20, %rd20;\n", 16}};
    for (const Case& c : cases) {
        const Outcome got = run_text(
            kernel_text(c.code + ask + store_r10, ".const .align 4 .b32 table[4] = {1, 2, 3, 4};\n.global .align 4 .b32 counter;\n"),
            Words(32), {}, 0);
        ASSERT_EQ(got.error, "") << c.code;
        for (const std::uint32_t word : got.a) EXPECT_EQ(word, c.wanted) << c.code;
    }
}

TEST(Spaces, KernelParametersAreReadThroughGenericAddresses) {
    // Lanes read n's four bytes, each another one.
    const Outcome got = run_body(
        "mov.b64 %rd20, n;\ncvta.param.u64 %rd21, %rd20;\nand.b32 %r20, %r2, 3;\ncvt.u64.u32 %rd22, %r20;\nadd.s64 %rd23, %rd21, %rd22;\n"
        "ld.u8 %r10, [%rd23];\nsetp.eq.u32 %p1, %r2, 31;\n@%p1 mov.u64 %rd23, %rd2;\n@%p1 ld.u8 %r10, [%rd23];\n" +
            store_r10,
        Words(32), {0x55}, 0x04030201);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 31; ++i) EXPECT_EQ(got.a[i], i % 4 + 1);
    EXPECT_EQ(got.a[31], 0x55u);
    const Outcome beyond =
        run_body("mov.b64 %rd20, n;\ncvta.param.u64 %rd21, %rd20;\nld.u32 %r10, [%rd21+4];\n" + store_r10, Words(32), {}, 0);
    EXPECT_NE(beyond.error.find("out of bounds at constant address 0x14"), std::string::npos) << beyond.error;
}

struct Sizes : EventSink {
    std::vector<std::uint32_t> bytes;
    void memory(const MemoryEvent& event) override { bytes.push_back(event.bytes); }
};

TEST(Spaces, ThirtyTwoBytesALaneAreLoadedAndStoredInOneRequest) {
    Words b(32 * 8);
    for (std::uint32_t i = 0; i < b.size(); ++i) b[i] = i * 3 + 1;
    Sizes sizes;
    const Outcome got = run_body(
        "mul.wide.u32 %rd10, %r2, 32;\nadd.s64 %rd11, %rd2, %rd10;\nadd.s64 %rd12, %rd1, %rd10;\nand.b32 %r40, %r2, 1;\nsetp.eq.u32 %p1, "
        "%r40, 0;\n"
        "createpolicy.fractional.L2::evict_last.b64 %rd30, 1.0;\n"
        "ld.global.L2::cache_hint.v8.b32 {%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27}, [%rd11], %rd30;\n"
        "@%p1 st.global.v8.b32 [%rd12], {%r27, %r26, %r25, %r24, %r23, %r22, %r21, %r20};\n"
        "@!%p1 ld.global.v4.b64 {%rd13, %rd14, %rd15, %rd16}, [%rd11];\n@!%p1 st.global.v4.b64 [%rd12], {%rd13, %rd14, %rd15, %rd16};\n"
        "applypriority.global.L2::evict_normal [%rd11], 128;\ndiscard.global.L2 [%rd11], 128;\n",
        Words(32 * 8), b, 0, {}, [&](unsigned) { return &sizes; });
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(got.a[i], b[i / 8 % 2 == 0 ? i / 8 * 8 + 7 - i % 8 : i]);
    EXPECT_EQ(sizes.bytes, (std::vector<std::uint32_t>{32, 32, 32, 32}));
    const Outcome odd = run_body("ld.global.v8.b32 {%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27}, [%rd2+16];\n", Words(32), b, 0);
    EXPECT_NE(odd.error.find("misaligned read of 32 bytes"), std::string::npos) << odd.error;
}

// Each lane hands its 16 bytes on from space to space, with registers of 128 bits.
TEST(Spaces, OneHundredAndTwentyEightBitsGoThroughEverySpace) {
    Words b(32 * 4);
    for (std::uint32_t i = 0; i < b.size(); ++i) b[i] = i * 0x01010101u + 7;
    Sizes sizes;
    const Outcome got =
        run_body(".reg .b128 %q<4>;\n.shared .align 16 .b8 s[512];\n.local .align 16 .b8 l[32];\n"
                 "mul.wide.u32 %rd10, %r2, 16;\nadd.s64 %rd11, %rd2, %rd10;\nadd.s64 %rd12, %rd1, %rd10;\n"
                 "mov.u64 %rd13, s;\nadd.s64 %rd13, %rd13, %rd10;\ncvta.shared.u64 %rd14, %rd13;\n"
                 "ld.global.b128 %q1, [%rd11];\nst.shared.b128 [%rd13], %q1;\nld.b128 %q2, [%rd14];\nst.local.b128 [l+16], %q2;\n"
                 "ld.local.b128 %q3, [l+16];\nst.b128 [%rd14], %q3;\nld.volatile.shared.b128 %q2, [%rd13];\n"
                 "and.b32 %r40, %r2, 1;\nsetp.eq.u32 %p1, %r40, 0;\n@%p1 ld.relaxed.gpu.b128 %q2, [%rd2];\nst.release.gpu.global.b128 "
                 "[%rd12], %q2;\n",
                 Words(32 * 4), b, 0, {}, [&](unsigned) { return &sizes; });
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(got.a[i], b[i / 4 % 2 == 0 ? i % 4 : i]);
    for (const std::uint32_t bytes : sizes.bytes) EXPECT_EQ(bytes, 16u);
    EXPECT_EQ(sizes.bytes.size(), 9u);
    const Outcome odd = run_body(".reg .b128 %q<4>;\nld.global.b128 %q1, [%rd2+8];\n", Words(32), b, 0);
    EXPECT_NE(odd.error.find("misaligned read of 16 bytes"), std::string::npos) << odd.error;
    const Outcome narrow = run_body("ld.global.b128 %rd10, [%rd2];\n", Words(32), b, 0);
    EXPECT_NE(narrow.error.find("is .b64 where .b128 is needed"), std::string::npos) << narrow.error;
}

TEST(Spaces, AKernelParameterOf128BitsIsRead) {
    // Both pointers at once.
    const Outcome got = run_body(".reg .b128 %q<4>;\nld.param.b128 %q1, [a];\nmov.b128 {%rd20, %rd21}, %q1;\nsub.s64 %rd20, %rd20, %rd1;\n"
                                 "sub.s64 %rd21, %rd21, %rd2;\nor.b64 %rd20, %rd20, %rd21;\ncvt.u32.u64 %r10, %rd20;\n" +
                                     store_r10,
                                 Words(32, 9), Words(4), 0);
    ASSERT_EQ(got.error, "");
    for (const std::uint32_t word : got.a) EXPECT_EQ(word, 0u);
}

} // namespace
} // namespace apod::emu
