#include "command.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include <sys/wait.h>

namespace apod::golden {

Command::Command() : directory_(TempDirectory::make("apod-cli").value()) {}

Outcome Command::apod(const std::string& arguments, const std::string& before) const {
    // The environment of whoever runs the tests must not show in their results.
    write("run.sh",
          "unset COLUMNS NO_COLOR\ncd '" + directory_.path().string() + "'\n" + before + " '" APOD_COMMAND "' " + arguments + "\n");
    const std::string shell = "bash '" + path("run.sh") + "' > '" + path("out") + "' 2> '" + path("err") + "' < /dev/null";
    const int status = std::system(shell.c_str());
    Outcome outcome;
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = read("out");
    outcome.err = read("err");
    return outcome;
}

std::string Command::path(const std::string& file) const { return (directory_.path() / file).string(); }

std::string Command::read(const std::string& file) const {
    const Result<std::string> contents = read_file(path(file));
    return contents ? *contents : std::string();
}

void Command::write(const std::string& file, const std::string& contents) const {
    const Result<void> written = write_file(path(file), contents);
    ASSERT_TRUE(written.ok()) << to_text(written.error());
}

void expect_golden(const std::string& name, const std::string& actual) {
    const std::string file = std::string(APOD_SOURCE_DIR) + "/tests/golden/cli/" + name;
    if (std::getenv("APOD_UPDATE_GOLDEN") != nullptr) {
        ASSERT_TRUE(write_file(file, actual).ok());
        return;
    }
    const Result<std::string> expected = read_file(file);
    ASSERT_TRUE(expected.ok()) << to_text(expected.error());
    EXPECT_EQ(actual, *expected) << "if the change is meant, set APOD_UPDATE_GOLDEN=1, run this again and read the difference";
}

} // namespace apod::golden
