// The README's console blocks show what the command prints. APOD_UPDATE_GOLDEN=1 pastes the output of today.
#include "command.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace apod::golden {
namespace {

constexpr std::string_view opening = "```console\n$ build/apod ";
constexpr std::string_view closing = "```\n";

constexpr std::string_view built = "build/dev/"; // where the README has what this build made

// The command line with this build's path, and whether all of it is there: programs need nvcc.
struct Line {
    std::string arguments;
    bool possible = true;
};

Line in_this_build(std::string arguments) {
    const std::size_t at = arguments.find(built);
    if (at == std::string::npos) return {arguments};
    arguments.replace(at, built.size(), APOD_BINARY_DIR "/");
    const std::string program = arguments.substr(at, arguments.find(' ', at) - at);
    return {arguments, std::filesystem::exists(program)};
}

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
        fresh += readme->substr(begin, line_end + 1 - begin);
        begin = block_end;
        const Line line = in_this_build(arguments);
        if (!line.possible) {
            fresh += readme->substr(line_end + 1, block_end - line_end - 1);
            continue;
        }
        // From the PTX that ships: what nvcc makes of the sources may differ between its releases (the programs here were compiled
        // by 13.0).
        const Outcome outcome = command.apod(line.arguments, "cd '" + root + "'; APOD_NVCC=");
        EXPECT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.err;
        fresh += outcome.out;
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
