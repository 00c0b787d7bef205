// Nothing is included against the arrows of docs/ARCHITECTURE.md, and nothing in a circle. The document is the truth that is tested.
#include "source_tree.hpp"

#include <gtest/gtest.h>

namespace apod::house {

namespace {

// What the public API and the errors' vocabulary need no arrow for: DESIGN: everything stands on these two.
const std::set<std::string> for_everyone = {"include/apod", "src/base"};

// Includes of these libraries begin with this. What is not listed is the standard library or the operating system.
const std::map<std::string, std::string> library_prefixes = {
    {"fmt/", "fmt"},
    {"toml++/", "toml++"},
    {"nlohmann/", "nlohmann-json"},
    {"CLI/", "CLI11"},
    {"sqlite3", "SQLite"},
    {"zstd", "zstd"},
    {"lz4", "LZ4"},
    {"boost/", "Boost"},
    {"gtest/", "GoogleTest"},
    {"gmock/", "GoogleTest"},
    {"benchmark/", "Google Benchmark"},
    {"cuda", "CUDA"},
    {"cupti", "CUDA"},
    {"nvml", "CUDA"},
    {"cooperative_groups", "CUDA"},
    {"cub/", "CUDA"},
};

std::string library_of(const std::string& include) {
    for (const auto& [prefix, library] : library_prefixes) {
        if (include.starts_with(prefix)) return library;
    }
    return {};
}

bool allowed(const std::string& from, const std::string& to) {
    const Folder& folder = folder_table().at(from);
    if (to == from || folder.may_include_all || folder.may_include.contains(to)) return true;
    return for_everyone.contains(to) && from != "include/apod" && from != "src/base";
}

// A depth-first walk; `path` is the chain of nodes above `node`. Returns the first circle as text.
template<class Edges>
std::string find_circle(const std::string& node, const Edges& edges, std::set<std::string>& done, std::vector<std::string>& path) {
    path.push_back(node);
    for (const std::string& next : edges(node)) {
        const auto seen = std::find(path.begin(), path.end(), next);
        if (seen != path.end()) {
            std::string circle;
            for (auto it = seen; it != path.end(); ++it) circle += *it + " -> ";
            return circle + next;
        }
        if (done.contains(next)) continue;
        if (std::string circle = find_circle(next, edges, done, path); !circle.empty()) return circle;
    }
    path.pop_back();
    done.insert(node);
    return {};
}

} // namespace

TEST(IncludeGraph, TheArchitectureDocumentHasATableOfFolders) {
    EXPECT_GE(folder_table().size(), 15U) << "docs/ARCHITECTURE.md: the table of folders cannot be read";
    for (const auto& [name, folder] : folder_table()) {
        for (const std::string& target : folder.may_include) {
            EXPECT_TRUE(folder_table().contains(target))
                << "docs/ARCHITECTURE.md: " << name << " may include " << target << ", which has no row";
        }
    }
}

TEST(IncludeGraph, TheAllowedArrowsHaveNoCircle) {
    const auto edges = [](const std::string& node) { return folder_table().at(node).may_include; };
    std::set<std::string> done;
    for (const auto& [name, folder] : folder_table()) {
        std::vector<std::string> path;
        if (done.contains(name)) continue;
        EXPECT_EQ(find_circle(name, edges, done, path), "");
    }
}

TEST(IncludeGraph, EverySourceFolderHasARow) {
    for (const SourceFile& file : cxx_files()) {
        EXPECT_NE(folder_of(file.path), "") << file.path << ": its folder is not in the table of docs/ARCHITECTURE.md";
    }
}

TEST(IncludeGraph, NothingIsIncludedAgainstTheArrows) {
    for (const SourceFile& file : cxx_files()) {
        if (is_test(file.path)) continue;
        const std::string from = folder_of(file.path);
        for (const Include& include : includes_of(file)) {
            const std::string target = resolve(file, include);
            const std::string to = folder_of(target);
            if (from.empty() || to.empty()) continue;
            EXPECT_TRUE(allowed(from, to)) << file.path << ":" << include.line << ": " << from << " may not include " << to
                                           << " (docs/ARCHITECTURE.md, the table of folders)";
        }
    }
}

TEST(IncludeGraph, EveryQuotedIncludeIsAFileOfOurs) {
    for (const SourceFile& file : cxx_files()) {
        for (const Include& include : includes_of(file)) {
            if (!include.quoted) continue;
            EXPECT_NE(resolve(file, include), "") << file.path << ":" << include.line << ": \"" << include.name << "\"";
        }
    }
}

TEST(IncludeGraph, LibrariesAreUsedOnlyWhereTheTableSaysSo) {
    for (const SourceFile& file : cxx_files()) {
        const std::string folder = folder_of(file.path);
        if (is_test(file.path) || folder.empty()) continue;
        std::set<std::string> libraries = folder_table().at(folder).libraries;
        if (folder != "include/apod") libraries.merge(std::set<std::string>(folder_table().at("src/base").libraries));
        for (const Include& include : includes_of(file)) {
            const std::string library = include.quoted ? "" : library_of(include.name);
            EXPECT_TRUE(library.empty() || libraries.contains(library))
                << file.path << ":" << include.line << ": " << folder << " may not use " << library << " (docs/ARCHITECTURE.md)";
        }
    }
}

TEST(IncludeGraph, NoFilesIncludeEachOtherInACircle) {
    std::map<std::string, std::set<std::string>> edges;
    for (const SourceFile& file : cxx_files()) {
        for (const Include& include : includes_of(file)) {
            if (const std::string target = resolve(file, include); !target.empty()) edges[file.path].insert(target);
        }
    }
    const auto next = [&](const std::string& node) { return edges[node]; };
    std::set<std::string> done;
    for (const SourceFile& file : cxx_files()) {
        std::vector<std::string> path;
        if (done.contains(file.path)) continue;
        EXPECT_EQ(find_circle(file.path, next, done, path), "");
    }
}

TEST(Headers, CompileAlone) {
    // What the build compiles alone is in this list; the others' own source file must include them before anything else.
    std::set<std::string> lone;
    for (const std::string& line : read(APOD_HEADER_LIST).lines) lone.insert(line);
    for (const SourceFile& file : cxx_files()) {
        const std::string top = file.path.substr(0, file.path.find('/'));
        if (!file.path.ends_with(".hpp") || (top != "src" && top != "include" && top != "runtime")) continue;
        const std::string name = top == "runtime" ? file.path : file.path.substr(top.size() + 1);
        const std::string source = file.path.substr(0, file.path.size() - 4) + ".cpp";
        const std::vector<Include> includes = includes_of(read(source));
        const bool first = !includes.empty() && includes.front().name == name;
        EXPECT_TRUE(first || lone.contains(name))
            << source << " must include \"" << name << "\" before anything else, which proves that it "
            << "compiles alone; if it does not exist, configure the build again";
    }
}

} // namespace apod::house
