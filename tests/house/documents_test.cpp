// What the documents say exists does exist: linked files, make targets, presets.
#include "source_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

namespace apod::house {

namespace {

// Calls use(path, place, first group) for each match of `pattern` in the documents; place is "file:line". A line that says "(to come)" is
// about what does not exist yet.
template<class Use> void for_each_match(const std::string& pattern, const Use& use) {
    const std::regex regex(pattern);
    for (const SourceFile& file : documents()) {
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            if (line.find("(to come)") != std::string::npos) continue;
            for (auto it = std::sregex_iterator(line.begin(), line.end(), regex); it != std::sregex_iterator(); ++it) {
                use(file.path, file.path + ":" + std::to_string(i + 1), (*it)[1].str());
            }
        }
    }
}

bool has_line_starting(const SourceFile& file, const std::string& start) {
    return std::any_of(file.lines.begin(), file.lines.end(), [&](const std::string& line) { return line.starts_with(start); });
}

} // namespace

TEST(Documents, LinksPointToFilesThatExist) {
    for_each_match(R"(\]\(([^)\s]+)\))", [](const std::string& path, const std::string& place, const std::string& link) {
        if (link.starts_with("http") || link.starts_with("mailto:") || link.starts_with("#")) return;
        const std::filesystem::path target = (root() / path).parent_path() / link.substr(0, link.find('#'));
        EXPECT_TRUE(std::filesystem::exists(target)) << place << ": there is no " << link;
    });
}

TEST(Documents, MakeTargetsThatAreNamedExist) {
    const SourceFile makefile = read("Makefile");
    for_each_match(R"(\bmake ([a-z]+)`)", [&](const std::string&, const std::string& place, const std::string& target) {
        EXPECT_TRUE(has_line_starting(makefile, target + ":")) << place << ": there is no `make " << target << "`";
    });
}

TEST(Documents, PresetsThatAreNamedExist) {
    const SourceFile presets = read("CMakePresets.json");
    for_each_match(R"((?:--preset |PRESET=)([a-z]+))", [&](const std::string&, const std::string& place, const std::string& preset) {
        const auto names_it = [&](const std::string& line) { return line.find("\"" + preset + "\"") != std::string::npos; };
        EXPECT_TRUE(std::any_of(presets.lines.begin(), presets.lines.end(), names_it)) << place << ": there is no preset " << preset;
    });
}

TEST(Documents, FilesThatAreNamedInBackquotesExist) {
    // `src/x/y.cpp`, `data/arch/h200.toml`, `docs/`; patterns and placeholders (*, <, capitals only) are not names.
    for_each_match(R"(`((?:include|src|runtime|inject|workloads|data|tests|fuzz|bench|examples|docs|tools|cmake)/[A-Za-z0-9_./-]*)`)",
                   [](const std::string&, const std::string& place, const std::string& path) {
                       EXPECT_TRUE(std::filesystem::exists(root() / path)) << place << ": there is no " << path;
                   });
}

} // namespace apod::house
