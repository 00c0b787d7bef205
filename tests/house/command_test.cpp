// The built command against what the documents say of it, and on a machine without nvcc.
#include "source_tree.hpp"

#include <gtest/gtest.h>

namespace apod::house {

namespace {

const std::string command = APOD_COMMAND;

// Every `apod WORD` of the documents, in backquotes or at the start of a line (in a block of code); place ("file:line") to WORD.
std::map<std::string, std::string> named_subcommands() {
    std::map<std::string, std::string> found;
    for (const SourceFile& file : documents()) {
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            if (line.find("(to come)") != std::string::npos) continue;
            for (const std::string start : {"`apod ", "`build/apod ", "$ apod ", "$ build/apod "}) {
                const auto at = line.find(start);
                if (at == std::string::npos) continue;
                const auto word = at + start.size();
                const auto end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz", word);
                if (end != word) found[file.path + ":" + std::to_string(i + 1)] = line.substr(word, end - word);
            }
        }
    }
    return found;
}

} // namespace

TEST(Documents, SubcommandsThatAreNamedExist) {
    for (const auto& [place, subcommand] : named_subcommands()) {
        EXPECT_EQ(shell("'" + command + "' " + subcommand + " --help").exit_code, 0)
            << place << ": there is no `apod " << subcommand << "`";
    }
}

TEST(WithoutNvcc, TheBuiltInLadderIsClimbedFromThePtxThatShips) {
    // No nvcc by name or by place; and what an earlier run compiled does not help either.
    const std::string hidden = "APOD_NVCC= PATH=/usr/bin:/bin XDG_CACHE_HOME=/nonexistent '" + command + "' ";
    const Ran without = shell(hidden + "climb transpose -p n=70 --device emu:h200 -q");
    EXPECT_EQ(without.exit_code, 0) << without.output;
    const Ran with = shell("'" + command + "' climb transpose -p n=70 --device emu:h200 -q");
    EXPECT_EQ(with.output, without.output);
}

} // namespace apod::house
