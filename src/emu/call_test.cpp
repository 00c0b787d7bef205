#include "emu/testing/run_file.hpp"
#include "emu/testing/run_kernel.hpp"

#include <gtest/gtest.h>

namespace apod::emu {
namespace {

using namespace testing;
using Words = std::vector<std::uint32_t>;

constexpr const char* file = "calls_80.ptx";

Words ascending(std::size_t count, std::uint32_t modulus = 0xffffffffu) {
    Words words(count);
    for (std::size_t i = 0; i < count; ++i) words[i] = static_cast<std::uint32_t>(i) % modulus;
    return words;
}

std::uint32_t fibonacci(std::uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

std::uint32_t collatz_steps(std::uint32_t n) {
    std::uint32_t steps = 0;
    while (n != 1) {
        if (steps > 50) return 1000 + n % 7;
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        ++steps;
    }
    return steps;
}

std::uint32_t sum_of_filled(std::uint32_t start) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = start % 4; i < 12; ++i) sum += start + i * i;
    return sum;
}

TEST(Call, EachLaneRecursesAsDeepAsItMust) {
    const FileRun got = run_file(file, "fibonacci_kernel", ascending(64, 13), {.block = {64, 1, 1}, .n = 60});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(got.out[i], i < 60 ? fibonacci(i % 13) : 0) << i;
}

TEST(Call, FunctionsCallEachOther) {
    const FileRun got = run_file(file, "parity_kernel", ascending(32), {.n = 32});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.out[i], i % 2 == 0 ? 1u : 2u) << i;
}

TEST(Call, LanesThatReturnAtDifferentPlacesMeetBehindTheCall) {
    const std::uint32_t rounds = 7;
    Words in(64);
    for (std::uint32_t i = 0; i < 64; ++i) in[i] = 1 + i * 7;
    const FileRun got = run_file(file, "collatz_kernel", in, {.block = {64, 1, 1}, .n = rounds});
    ASSERT_EQ(got.error, "");
    Words sum(64);
    for (std::uint32_t k = 0; k < rounds; ++k) {
        for (std::uint32_t i = 0; i < 64; ++i)
            if ((i + k) % 3 == 0) sum[i] += collatz_steps(in[i] + k);
        for (std::uint32_t i = 0; i < 64; i += 2) std::swap(sum[i], sum[i + 1]);
    }
    EXPECT_EQ(got.out, sum);
}

TEST(Call, StructuresArePassedAndReturnedByValue) {
    const std::uint32_t n = 3;
    const FileRun got = run_file(file, "struct_kernel", ascending(32), {.n = n, .out_words = 128});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) {
        const std::uint32_t scale = i % 2 == 0 ? 2 * n : n;
        EXPECT_EQ(got.out[4 * i], i + n);
        EXPECT_EQ(got.out[4 * i + 1], i + 10);
        EXPECT_EQ(got.out[4 * i + 2], (i + i % 5) * scale + i + (i % 2 == 0 ? 2 : 1));
        EXPECT_EQ(got.out[4 * i + 3], static_cast<std::uint32_t>((i + 0.5) * scale * 2));
    }
}

TEST(Call, AnElementOfAStructurePassedByValueIsFoundAtItsIndex) {
    const FileRun got = run_file(file, "element_kernel", ascending(32), {.n = 9});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.out[i], i * (i % 5) + 9);
}

TEST(Call, LocalsArePassedByPointerAndFramesDoNotOverlap) {
    const FileRun got = run_file(file, "local_kernel", ascending(96), {.block = {96, 1, 1}, .n = 5});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 96; ++i) {
        const std::uint32_t mine = i + (i % 4) * (i % 4);
        EXPECT_EQ(got.out[i], mine + sum_of_filled(i) + (i % 3 == 1 ? sum_of_filled(5) : 0)) << i;
    }
}

TEST(Call, VirtualFunctionsAreFoundThroughTheObject) {
    const FileRun got = run_file(file, "virtual_kernel", ascending(32), {.n = 6});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.out[i], i % 2 == 0 ? i * i * 100 + 4 : i * 6 * 100) << i;
}

TEST(Call, LanesCallThroughATableOfPointers) {
    const FileRun got = run_file(file, "table_kernel", ascending(32, 3), {.n = 6});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.out[i], i % 3 == 0 ? i + 6 : i % 3 == 1 ? i * 6 : fibonacci(i % 10) + 6) << i;
}

TEST(Call, LanesThatExitInAFunctionAreGoneForGood) {
    const FileRun got = run_file(file, "exit_kernel", ascending(64), {.block = {64, 1, 1}, .n = 2});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 64; ++i) {
        const bool gone = i % 5 == 0 || (2 * i + 1) % 5 == 0;
        EXPECT_EQ(got.out[i], gone ? 0 : 4 * i + 3) << i;
    }
}

TEST(Call, AllocaTakesWhatTheLaneWithTheLargestNeedWants) {
    const FileRun got = run_file(file, "alloca_kernel", ascending(32, 7), {.n = 4});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) {
        const std::uint32_t count = i % 7 + 4;
        EXPECT_EQ(got.out[i], 5 + i * count * (count - 1) / 2) << i;
    }
}

TEST(Call, ASimpleCallCostsExactlyItsInstructions) {
    // add_one: ld.param, add, st.param, ret.
    const FileRun got = run_file(file, "simple_kernel", ascending(64), {.block = {64, 1, 1}, .n = 40});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(got.out[i], i < 40 ? i + 1 : i);
    EXPECT_EQ(warps_in(got, "_Z7add_onej"), 2 * 4u);
    std::uint64_t threads = 0;
    for (std::size_t op = 0; op < got.program->ops.size(); ++op)
        if (got.program->ops[op].function->name == "_Z7add_onej") threads += got.execution.counts[op].threads;
    EXPECT_EQ(threads, 40 * 4u);
}

TEST(Call, DivergedCallsOfOneFunctionRunTogetherWhereTheyAreMadeTogether) {
    // Every lane calls operation 1 once: the warp enters it once.
    const FileRun got = run_file(file, "table_kernel", Words(32, 1), {.n = 2});
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(warps_in(got, "_Z6op_muljj"), 5u);
    EXPECT_EQ(warps_in(got, "_Z6op_addjj"), 0u);
}

TEST(Call, AStackThatOverflowsIsAFaultWithItsDepth) {
    const FileRun got = run_file(file, "deep_kernel", Words(32, 1), {.n = 100000});
    for (const char* part : {"stack overflow", "calls deep", "calls.cu:", "block (0, 0, 0) thread (0, 0, 0)", "recursion"})
        EXPECT_NE(got.error.find(part), std::string::npos) << part << " in " << got.error;
    const FileRun fits = run_file(file, "deep_kernel", Words(32, 1), {.n = 200, .stack_bytes = 1u << 16});
    ASSERT_EQ(fits.error, "");
    EXPECT_EQ(fits.out[0], 201u * 202 / 2);
}

TEST(Call, ACallThroughANullPointerIsAFaultThatNamesTheValue) {
    const FileRun got = run_file(file, "table_kernel", Words(32, 3), {.n = 6});
    for (const char* part : {"call through a pointer to 0x0", "no function", "calls.cu:", "thread (0, 0, 0)"})
        EXPECT_NE(got.error.find(part), std::string::npos) << part << " in " << got.error;
}

TEST(Call, AFunctionThatNoModuleDefinesIsNamedWhenTheKernelIsLoaded) {
    const std::string text = kernel_text("call.uni elsewhere;\n", ".extern .func elsewhere;\n");
    const Outcome got = run_text(text, Words(32), {}, 0);
    EXPECT_NE(got.error.find("k calls 'elsewhere', which this module declares and does not define"), std::string::npos) << got.error;
}

TEST(Call, ArgumentsAndResultsMayLieInRegisters) {
    const std::string text = kernel_text("call.uni (%r10), twice, (%r2);\n@%p1 bra $X;\n$X:\n" + store_r10,
                                         ".func (.reg .b32 %result) twice (.reg .b32 %value)\n{\n.reg .b32 %t<4>;\n"
                                         "add.s32 %result, %value, %value;\nmov.u32 %t1, 1;\nadd.s32 %t2, %t1, %t1;\nret;\n}\n");
    const Outcome got = run_text(text, Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.a[i], 2 * i);
}

TEST(Call, OnlyTheLanesOfTheGuardCall) {
    const std::string text =
        kernel_text("setp.lt.u32 %p1, %r2, 7;\nmov.u32 %r10, 100;\n@%p1 call (%r10), twice, (%r2);\n" + store_r10,
                    ".func (.reg .b32 %result) twice (.reg .b32 %value)\n{\nadd.s32 %result, %value, %value;\nret;\n}\n");
    const Outcome got = run_text(text, Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.a[i], i < 7 ? 2 * i : 100);
}

TEST(Call, ALockTakenInAFunctionByLanesOfOneWarpIsNoDeadlock) {
    const std::string text = kernel_text("call.uni locked, (%rd1);\n",
                                         ".func locked (.reg .b64 %a)\n{\n.reg .pred %q;\n.reg .b32 %t<4>;\n"
                                         "TRY:\natom.global.cas.b32 %t1, [%a], 0, 1;\nsetp.ne.s32 %q, %t1, 0;\n@%q bra TRY;\n"
                                         "ld.volatile.global.u32 %t2, [%a+4];\nadd.s32 %t2, %t2, 1;\nst.volatile.global.u32 [%a+4], %t2;\n"
                                         "membar.gl;\natom.global.exch.b32 %t3, [%a], 0;\nret;\n}\n");
    const Outcome got = run_text(text, Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.a[1], 32u);
}

TEST(Call, AFrameLiesAtTheAlignmentOfItsVariables) {
    // LLVM makes "or" of "add" where it knows the low bits to be zero.
    const std::string text = kernel_text(".local .align 4 .b8 own[20];\ncall.uni (%r10), aligned, (%r2);\n" + store_r10,
                                         ".func (.param .b32 result) aligned (.param .b32 value)\n{\n.local .align 64 .b8 a[128];\n"
                                         ".reg .b64 %a<3>;\n.reg .b32 %t<3>;\nmov.u64 %a1, a;\nld.param.u32 %t1, [value];\n"
                                         "or.b64 %a2, %a1, 36;\nst.local.u32 [%a2], %t1;\nld.local.u32 %t2, [a+36];\n"
                                         "st.param.b32 [result], %t2;\nret;\n}\n");
    const Outcome got = run_text(text, Words(32), {}, 0);
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got.a[i], i);
}

TEST(Call, LocalMemoryThatNoGpuHasIsRefused) {
    const Outcome got = run_body(".local .align 4 .b8 huge[600000];\n", Words(32), {}, 0);
    EXPECT_NE(got.error.find("local memory a thread, GPUs give at most 524288"), std::string::npos) << got.error;
}

TEST(Call, ABreakpointStopsTheKernel) {
    const Outcome got = run_body("brkpt;\n", Words(32), {}, 0);
    EXPECT_NE(got.error.find("trap reached"), std::string::npos) << got.error;
}

TEST(Call, AFunctionThatWasSaidNotToReturnAndDoesIsAFault) {
    const std::string text = kernel_text("call.uni goes;\n", ".func goes () .noreturn\n{\nret;\n}\n");
    const Outcome got = run_text(text, Words(32), {}, 0);
    EXPECT_NE(got.error.find("trap reached"), std::string::npos) << got.error;
}

TEST(Call, ReductionsAtABarrierSeeAllThreadsOfTheBlock) {
    const FileRun some = run_file(file, "count_kernel", ascending(96), {.block = {96, 1, 1}, .n = 50});
    ASSERT_EQ(some.error, "");
    for (const std::uint32_t value : some.out) EXPECT_EQ(value, 20050u);
    const FileRun all = run_file(file, "count_kernel", ascending(96), {.block = {96, 1, 1}, .n = 96});
    for (const std::uint32_t value : all.out) EXPECT_EQ(value, 30096u);
    const FileRun none = run_file(file, "count_kernel", ascending(96), {.block = {96, 1, 1}, .n = 0});
    for (const std::uint32_t value : none.out) EXPECT_EQ(value, 0u);
}

TEST(Call, TheBlocksOfACooperativeLaunchWaitForEachOther) {
    const std::uint32_t blocks = 37, rounds = 3, size = 64;
    for (const unsigned threads : {1u, 3u}) {
        const FileRun got = run_file("grid_80.ptx", "grid_kernel", ascending(blocks * size),
                                     {.grid = {blocks, 1, 1}, .block = {size, 1, 1}, .n = rounds, .threads = threads, .cooperative = true});
        ASSERT_EQ(got.error, "");
        for (std::uint32_t i = 0; i < blocks * size; ++i) EXPECT_EQ(got.out[i], (i + rounds * size) % (blocks * size) + rounds) << i;
    }
    const FileRun alone = run_file("grid_80.ptx", "grid_kernel", ascending(64), {.block = {64, 1, 1}, .n = 1});
    EXPECT_NE(alone.error.find("trap"), std::string::npos); // as on the GPU: no workspace
}

} // namespace
} // namespace apod::emu
