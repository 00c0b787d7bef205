#include "base/process.hpp"

#include <gtest/gtest.h>

namespace apod {
namespace {

TEST(Process, output_and_exit_status_come_back) {
    const auto result = run_process({"sh", "-c", "echo out; echo err >&2; exit 3"});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->exit_status, 3);
    EXPECT_EQ(result->output, "out\nerr\n");
}

TEST(Process, arguments_reach_the_program_as_they_are) {
    const auto result = run_process({"printf", "%s|", "a b", "$HOME", "'"});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->output, "a b|$HOME|'|");
}

TEST(Process, a_program_that_is_not_there_is_unavailable) {
    const auto result = run_process({"/no/such/program"});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::unavailable);
    EXPECT_NE(result.error().message.find("/no/such/program"), std::string::npos);
}

TEST(Process, a_signal_shows_in_the_exit_status) { EXPECT_EQ(run_process({"sh", "-c", "kill -9 $$"})->exit_status, 137); }

TEST(Process, much_output_does_not_block) { EXPECT_EQ(run_process({"sh", "-c", "seq 1 100000"})->output.size(), 588895u); }

} // namespace
} // namespace apod
