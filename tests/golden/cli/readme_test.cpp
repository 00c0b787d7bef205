// The README's console blocks show what the command prints. APOD_UPDATE_GOLDEN=1 pastes the output of today.
#include "command.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace apod::golden {
namespace {

constexpr std::string_view opening = "```console\n$ build/apod ";
constexpr std::string_view closing = "```\n";

TEST(Readme, shows_what_the_command_really_prints) {
    const std::string root = APOD_SOURCE_DIR;
    const Result<std::string> readme = read_file(root + "/README.md");
    ASSERT_TRUE(readme.ok());
    const Command command;
    std::string fresh;
    std::size_t begin = 0;
    for (std::size_t block = 0; (block = readme->find(opening, begin)) != std::string::npos;) {
        const std::size_t line_end = readme->find('\n', block + opening.size());
        const std::string arguments = readme->substr(block + opening.size(), line_end - block - opening.size());
        const std::size_t block_end = readme->find(closing, line_end);
        ASSERT_NE(block_end, std::string::npos) << "the block of '" << arguments << "' is not closed";
        // From the PTX that ships: what nvcc makes of the sources may differ between its releases.
        const Outcome outcome = command.apod(arguments, "cd '" + root + "'; APOD_NVCC=");
        EXPECT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.err;
        fresh += readme->substr(begin, line_end + 1 - begin) + outcome.out;
        begin = block_end;
    }
    EXPECT_GT(begin, 0U) << "no console block was found";
    fresh += readme->substr(begin);
    if (std::getenv("APOD_UPDATE_GOLDEN") != nullptr) {
        ASSERT_TRUE(write_file(root + "/README.md", fresh).ok());
        return;
    }
    EXPECT_EQ(*readme, fresh) << "set APOD_UPDATE_GOLDEN=1, run this again and read the difference";
}

} // namespace
} // namespace apod::golden
