// apod check as a user meets it.
#include "command.hpp"

#include <gtest/gtest.h>

namespace apod::golden {
namespace {

const std::string folder = std::string(APOD_SOURCE_DIR) + "/tests/checks/";

TEST(Check, says_nothing_about_the_built_in_ladder) {
    const Command command;
    const Outcome outcome = command.apod("check transpose -q -p n=100", "APOD_NVCC=");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "transpose: no mistakes found, on emu:h200\n");
}

TEST(Check, names_the_line_the_threads_and_what_to_try_and_exits_with_1) {
    const Command command;
    const Outcome outcome = command.apod("check -q '" + folder + "reduction.toml'", "APOD_NVCC=");
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_NE(outcome.out.find("2 mistakes found"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("out-of-bounds in sum_blocks_racing"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("reduction.cu:16 by thread (232, 0, 0) of block (3, 0, 0)"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("directly past the end of allocation 'in' (4000 bytes)"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("race in sum_blocks_racing"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("reduction.cu:19"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("try: put __syncthreads() behind it, at the end of each round"), std::string::npos) << outcome.out;
}

TEST(Check, of_one_rung_that_is_right_finds_nothing) {
    const Command command;
    EXPECT_EQ(command.apod("check -q -r right '" + folder + "reduction.toml'", "APOD_NVCC=").exit_code, 0);
}

TEST(Check, writes_json_csv_and_markdown) {
    const Command command;
    const std::string ladder = " -q '" + folder + "reduction.toml'";
    const Outcome json = command.apod("check --json -" + ladder, "APOD_NVCC=");
    EXPECT_EQ(json.exit_code, 1);
    EXPECT_NE(json.out.find("\"kind\": \"race\""), std::string::npos) << json.out;
    EXPECT_EQ(command.apod("check --csv -" + ladder, "APOD_NVCC=").out.substr(0, 24), "kind,kernel,file,line,ot");
    EXPECT_EQ(command.apod("check --markdown -" + ladder, "APOD_NVCC=").out.substr(0, 4), "### ");
}

TEST(Check, is_an_option_of_other_commands) {
    const Command command;
    const Outcome outcome = command.apod("climb -q --check '" + folder + "reduction.toml'", "APOD_NVCC=");
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.out.find("--- apod check"), std::string::npos) << outcome.out;
    EXPECT_EQ(command.apod("climb transpose -q --check -p n=70", "APOD_NVCC=").exit_code, 0);
}

} // namespace
} // namespace apod::golden
