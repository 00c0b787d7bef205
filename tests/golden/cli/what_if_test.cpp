// Other GPUs and other shapes of the launch, answered from one run: apod explain --device a,b,c and --what-if.
#include "command.hpp"

#include <gtest/gtest.h>

#include <string>

namespace apod::golden {
namespace {

const std::string some = "explain transpose -q -p n=256 -r tiled_32 -r vectorised ";

std::string error_of(const std::string& options) {
    const Command command;
    const Outcome outcome = command.apod(some + options);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(WhatIf, several_gpus_and_questions_are_one_table) {
    const Command command;
    const std::string asked = "-d emu:a100,emu:h100-sxm,emu:h200,emu:rtx4090,emu:l4 --what-if bandwidth=2x --what-if sms=216,block=128 ";
    const Outcome outcome = command.apod(some + asked + "--markdown table.md | sed -n '/^Elsewhere/,$p'", "COLUMNS=120");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_golden("what_if.txt", outcome.out);
    const std::string markdown = command.read("table.md");
    EXPECT_TRUE(contains(markdown, "#### Elsewhere, and otherwise (predicted)")) << markdown;
    EXPECT_TRUE(contains(markdown, "| vectorised | emu:l4 |")) << markdown;
}

TEST(WhatIf, json_has_each_answer_and_its_likely_error) {
    const Command command;
    const Outcome outcome = command.apod(some + "-d emu:h200,emu:a100 --json -");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "\"time_error\": 0."));
    EXPECT_TRUE(contains(outcome.out, "\"what\": \"emu:a100\""));
    EXPECT_TRUE(contains(outcome.out, "\"error\": 0."));
}

TEST(WhatIf, mistakes_are_usage_errors_that_name_them) {
    EXPECT_TRUE(contains(error_of("-d emu:h200,emu:a10O"), "no GPU 'a10O' is known"));
    EXPECT_TRUE(contains(error_of("-d emu:h200,cuda:0"), "only emulated GPUs can be compared with the first device, not 'cuda:0'"));
    EXPECT_TRUE(contains(error_of("-d emu:h200,"), "there is no device ''"));
    EXPECT_TRUE(contains(error_of("-d cuda:0 --what-if sms=2x"), "only an emulated GPU answers what-if"));
    EXPECT_TRUE(contains(error_of("-d emu:h200 --what-if bandwith=2x"), "what-if knows no 'bandwith'"));
    const Command command;
    EXPECT_EQ(command.apod("climb transpose -d emu:h200,emu:a100").exit_code, 2);
}

} // namespace
} // namespace apod::golden
