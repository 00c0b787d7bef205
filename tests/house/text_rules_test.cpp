// Rules that hold for the text of every file: sizes, formatting, and nothing that is true of one machine only.
#include "source_tree.hpp"

#include <gtest/gtest.h>

#include <cctype>

namespace apod::house {

namespace {

constexpr std::size_t most_lines_of_a_file = 600;
constexpr std::size_t most_lines_of_a_function = 60;

bool starts_a_definition(const std::string& line) {
    if (line.empty() || std::isspace(static_cast<unsigned char>(line[0])) != 0) return false;
    for (const char* other : {"#", "}", "/", "namespace", "extern \"C\"", "public:", "private:", "protected:"}) {
        if (line.starts_with(other)) return false;
    }
    return true;
}

struct LongFunction {
    std::size_t line = 0;
    std::size_t length = 0;
};

// Formatted code makes this simple: a function outside a class begins at column 1 and ends with a lone "}" there (a class ends with "};").
// Functions inside classes are clang-tidy's business (readability-function-size).
std::vector<LongFunction> long_functions(const SourceFile& file) {
    std::vector<LongFunction> found;
    std::size_t body = 0; // line of the opening brace, from 1; 0: not seen yet
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        const std::string& line = file.lines[i];
        if (starts_a_definition(line)) body = 0;
        if (body == 0 && line.ends_with("{")) body = i + 1;
        if (line != "}") continue;
        if (body != 0 && i + 1 - body > most_lines_of_a_function) found.push_back({body, i + 1 - body});
        body = 0;
    }
    return found;
}

bool is_written_by_hand(const std::string& path) {
    for (const char* suffix : {".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh", ".cmake", "CMakeLists.txt", "Makefile"}) {
        if (path.ends_with(suffix)) return true;
    }
    return false;
}

} // namespace

TEST(TextRules, FilesAreAtMost600LinesLong) {
    for (const std::string& path : all_files()) {
        if (!is_written_by_hand(path)) continue;
        EXPECT_LE(read(path).lines.size(), most_lines_of_a_file) << path << ": split it by what its parts are about";
    }
}

TEST(TextRules, FunctionsAreAtMost60LinesLong) {
    for (const SourceFile& file : cxx_files()) {
        for (const LongFunction& function : long_functions(file)) {
            ADD_FAILURE() << file.path << ":" << function.line << ": a function of " << function.length << " lines; give its steps names";
        }
    }
}

TEST(TextRules, NothingNamesAPathOfOneMachine) {
    // In pieces, so that this file passes its own test.
    const std::vector<std::string> forbidden = {std::string("/wo") + "rk/", std::string("/tm") + "p/", std::string("/ho") + "me/",
                                                std::string("/ro") + "ot/", std::string("/Use") + "rs/"};
    for (const std::string& path : all_files()) {
        const SourceFile file = read(path);
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            for (const std::string& word : forbidden) {
                EXPECT_EQ(file.lines[i].find(word), std::string::npos) << path << ":" << i + 1 << ": names a path of one machine, " << word;
            }
        }
    }
}

TEST(TextRules, NoLineEndsInBlanksOrHasTabs) {
    for (const std::string& path : all_files()) {
        if (!is_written_by_hand(path) || path.ends_with("Makefile")) continue;
        const SourceFile file = read(path);
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            EXPECT_FALSE(line.ends_with(' ') || line.find_first_of("\t\r") != std::string::npos) << path << ":" << i + 1;
        }
    }
}

TEST(TextRules, SourcesAreFormatted) {
    // Versions of clang-format disagree; this one is Debian 12's, and what tools/setup.sh installs.
    if (shell("command -v clang-format-14").exit_code != 0) GTEST_SKIP() << "clang-format-14 is not installed";
    std::string files;
    for (const SourceFile& file : cxx_files()) files += " '" + (root() / file.path).string() + "'";
    const Ran ran = shell("clang-format-14 --dry-run --Werror --ferror-limit=1" + files);
    EXPECT_EQ(ran.exit_code, 0) << "run `make format`\n" << ran.output;
}

} // namespace apod::house
