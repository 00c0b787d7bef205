#include "emu/stall.hpp"

#include "emu/testing/run_kernel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

namespace apod::emu {
namespace {

using namespace testing;

TEST(Stall, IsWhenEveryWorkersBlocksHaveComeRoundTwiceWithoutAChange) {
    StallWatch watch(2, 0);
    EXPECT_FALSE(watch.repeated(0, 1));
    EXPECT_FALSE(watch.repeated(0, 1)); // the other worker's block may be on its way
    EXPECT_FALSE(watch.repeated(1, 2));
    EXPECT_FALSE(watch.repeated(1, 2));
    EXPECT_FALSE(watch.repeated(1, 2));
    EXPECT_TRUE(watch.repeated(1, 2));
    EXPECT_FALSE(watch.repeated(0, 1)); // told once
    watch.changed();
    EXPECT_FALSE(watch.repeated(0, 1));
    EXPECT_FALSE(watch.repeated(0, 1));
    watch.left(1);
    EXPECT_TRUE(watch.repeated(0, 1));
}

TEST(Stall, IsNotBeforeItsTime) {
    StallWatch watch(1, 3600);
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(watch.repeated(0, 1));
}

TEST(Stall, StatesAreRememberedForAWhile) {
    RecentStates states;
    EXPECT_FALSE(states.contains_or_add(7));
    EXPECT_TRUE(states.contains_or_add(7));
    for (std::uint64_t i = 100; i < 164; ++i) EXPECT_FALSE(states.contains_or_add(i));
    EXPECT_FALSE(states.contains_or_add(7));
    states.clear();
    EXPECT_FALSE(states.contains_or_add(7));
    EXPECT_NE(fingerprint_of("abcdefghi", 9, 0), fingerprint_of("abcdefghj", 9, 0));
}

const std::string waits_for_a0 = "LOOP:\nld.volatile.global.u32 %r10, [%rd1];\nsetp.eq.u32 %p1, %r10, 0;\n@%p1 bra LOOP;\n";

TEST(Stall, AKernelThatWaitsForWhatNobodyWritesIsAFaultWithItsPlace) {
    for (const unsigned threads : {1u, 2u}) {
        Shape shape{.grid = {3, 1, 1}, .block = {64, 1, 1}, .threads = threads, .watchdog = 0};
        std::atomic<int> asked = 0;
        shape.stalled = [&asked](const Diagnostic& what) {
            ++asked;
            EXPECT_NE(what.message.find("can never go on"), std::string::npos) << what.message;
            return false;
        };
        const Outcome got = run_body(waits_for_a0, std::vector<std::uint32_t>(40), {}, 0, shape);
        EXPECT_EQ(asked, 1);
        for (const char* part : {"test.ptx:", "kernel k: block (", "it has waited in a loop for memory", "64 threads run in test.ptx:"})
            EXPECT_NE(got.error.find(part), std::string::npos) << got.error;
    }
}

TEST(Stall, AKernelThatCountsWhileItPollsHasNotStalled) {
    Shape shape{.watchdog = 0, .stalled_after_s = 0.02};
    int asked = 0;
    shape.stalled = [&asked](const Diagnostic&) { return ++asked == 0; };
    const Outcome got = run_body("mov.u32 %r11, 0;\nLOOP:\nld.volatile.global.u32 %r10, [%rd1];\nadd.u32 %r11, %r11, 1;\n"
                                 "setp.ne.u32 %p1, %r11, 4000000;\n@%p1 bra LOOP;\n",
                                 std::vector<std::uint32_t>(40), {}, 0, shape);
    EXPECT_EQ(got.error, "");
    EXPECT_EQ(asked, 0);
}

TEST(Stall, WhoIsAskedMayLetItGoOn) {
    auto module = ptx::parse(kernel_text(waits_for_a0), "test.ptx");
    ASSERT_TRUE(module);
    DeviceMemory memory(1 << 20);
    const auto image = Image::load(*module, memory);
    ASSERT_TRUE(image);
    const auto program = lower(*image, "k");
    ASSERT_TRUE(program);
    const auto a = memory.allocate(64, "a");
    ASSERT_TRUE(a && memory.fill(*a, std::byte{0}, 64));
    std::vector<std::byte> parameters((*program)->parameter_bytes);
    std::memcpy(parameters.data(), &*a, sizeof *a);
    RunOptions options;
    options.threads = 1;
    options.stalled_after_s = 0.05;
    options.stalled = [&](const Diagnostic&) { return memory.fill(*a, std::byte{1}, 64).ok(); };
    const auto ran = run(**program, {{1, 1, 1}, {32, 1, 1}, 0, parameters}, memory, options);
    EXPECT_TRUE(ran) << to_text(ran.error());
}

} // namespace
} // namespace apod::emu
