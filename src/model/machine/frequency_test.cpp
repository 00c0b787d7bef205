#include "model/machine/frequency.hpp"

#include "model/inputs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace apod::model {
namespace {

// As inputs.hpp reads it: a loop of one block of PTX (1) that loads, between 0 and 2.
constexpr const char* loop_of_loads = "0 0\n1 2 0 1\n0 2 0 1\n"
                                      "0 0 mov.u32\n21 1 {}\n1 1 add.u32\n4 1 setp.lt.u32\n35 1 bra\n36 2 ret\n";

constexpr int alu = 1;
constexpr int memory = 7;
constexpr int constant = 9;
constexpr int branch = 12;

std::string code(int unit, int op, bool guarded = false, int target = -1, int flow = 0) {
    const int access = unit == memory || unit == constant ? 1 : 0;
    const int space = unit == memory ? 1 : unit == constant ? 4 : 0;
    return fmt::format("{} {} {} {} {} 1 7 7 0 {} {}\n", unit, access, space, flow, guarded ? 1 : 0, target, op);
}
std::string load(int count = 1, bool guarded = false) {
    std::string text;
    for (int i = 0; i < count; ++i) text += code(memory, 1, guarded);
    return text;
}
std::string jump(int target, int op = 4) { return code(branch, op, true, target, 1); }

// `rounds` of the loop by all of 8 warps together; `more`: further lines of the launch.
KeptLaunch launch(const std::string& loaded, const std::vector<std::string>& instructions, int rounds, const std::string& more = "",
                  double longest = 1) {
    std::string all;
    for (const std::string& text : instructions) all += text;
    const auto lines = std::count(all.begin(), all.end(), '\n');
    std::string text = fmt::format("kernel 3 6 {}\n", lines) + fmt::format(fmt::runtime(loop_of_loads), loaded) + all;
    text += fmt::format("launch 1 1 1 256 1 1 0 32 8 64 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 {} 0 0 0 0 8\n8 {} {} {} {} 8\n{}end\n", longest,
                        rounds, rounds, rounds, rounds, more);
    static const arch::Gpu gpu = *arch::find_gpu("h200");
    std::istringstream in(text);
    auto kept = InputReader(in, gpu).next();
    EXPECT_TRUE(kept.ok());
    return *std::move(kept);
}

// What ptxas makes of it: a first round, a loop of four, and what that leaves over, two and then one.
std::vector<std::string> unrolled() {
    return {code(alu, 0),
            jump(18, -1), // 0
            load(1, true),
            code(alu, 2, true),
            jump(12),          // 1: the first round
            code(constant, 2), // 2: only leads to the loop
            load(4),
            code(alu, 2),
            jump(6),  // 3
            jump(16), // 4
            load(2),
            code(alu, 2),              // 5
            jump(18),                  // 6
            load(1),                   // 7
            code(0, 5, false, -1, 3)}; // 8
}

TEST(Frequency, AnUnrolledLoopIsEnteredOnceAndLeavesOverWhatIsNoWholeRound) {
    const KeptLaunch kept = launch("ld.global.u32", unrolled(), 137); // 17 rounds, and 18 of one warp
    EXPECT_EQ(block_frequencies(*kept.facts), (std::vector<double>{1, 1, 1, 4, 1, 0, 1, 0.125, 1}));
}

// The unrolled loop is there for the one row that is long: on average there is no round of it.
TEST(Frequency, TheLongestWarpRunsTheLoopThatIsThereForIt) {
    const KeptLaunch kept = launch("ld.global.u32", unrolled(), 48, "traffic 4 0 4 48 48 192 48 48 48 0 48 48 0 0\nlongest 1 41\n",
                                   6.8); // 7 warps of one round, one of 41
    EXPECT_LT(block_frequencies(*kept.facts)[3], 2);
    const std::vector<double> longest = longest_frequencies(*kept.facts);
    EXPECT_EQ(longest[3], 10);
    EXPECT_EQ(longest[2], 1);
    EXPECT_TRUE(longest_frequencies(*launch("ld.global.u32", unrolled(), 137).facts).empty());
}

// A tile of a matrix is loaded by four instructions, which are no copies of a loop that was unrolled.
TEST(Frequency, WhatOneOpBecomesIsNotTakenForRoundsOfALoop) {
    const std::vector<std::string> instructions = {code(alu, 0), load(4), code(alu, 2), jump(1), code(0, 5, false, -1, 3)};
    const std::string four_each = "traffic 4 0 4 320 10240 40960 2560 1280 2560 0 2560 320 0 0\n";
    const KeptLaunch tile = launch("wmma.load.a.sync.aligned.row.m16n16k16.global.f16", instructions, 80, four_each);
    EXPECT_EQ(block_frequencies(*tile.facts)[1], 10);
    const KeptLaunch copies = launch("ld.global.u32", instructions, 80, "traffic 4 0 4 80 2560 10240 640 320 640 0 640 80 0 0\n");
    EXPECT_EQ(block_frequencies(*copies.facts)[1], 2.5);
}

} // namespace
} // namespace apod::model
