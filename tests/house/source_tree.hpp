// The source tree as the house tests see it: which files there are, what they include, and what docs/ARCHITECTURE.md allows them to.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace apod::house {

struct SourceFile {
    std::string path; // from the root of the repository, with forward slashes
    std::vector<std::string> lines;
};

struct Include {
    std::string name; // what stands between the quotes or angle brackets
    bool quoted = false;
    std::size_t line = 0; // from 1
};

// A row of the folder table in docs/ARCHITECTURE.md.
struct Folder {
    std::set<std::string> may_include; // other rows' folders
    bool may_include_all = false;
    std::set<std::string> libraries;
};

using FolderTable = std::map<std::string, Folder>;

[[nodiscard]] std::filesystem::path root();
[[nodiscard]] SourceFile read(const std::string& path);

// C++ and CUDA sources and headers below the source folders, in order of path.
[[nodiscard]] const std::vector<SourceFile>& cxx_files();
// Every file of the repository that is text, builds excluded.
[[nodiscard]] const std::vector<std::string>& all_files();
// README.md and docs/*.md, those that exist.
[[nodiscard]] std::vector<SourceFile> documents();

[[nodiscard]] bool is_test(std::string_view path); // below tests/, or x_test.cpp
[[nodiscard]] std::vector<Include> includes_of(const SourceFile& file);
// The path of the repository's file that this include means; empty when it is none of ours.
[[nodiscard]] std::string resolve(const SourceFile& from, const Include& include);

[[nodiscard]] const FolderTable& folder_table();
// The row of the table that a path belongs to: the longest folder that contains it; empty when there is none.
[[nodiscard]] std::string folder_of(std::string_view path);

// What a shell command prints (standard output and error) and its exit code.
struct Ran {
    std::string output;
    int exit_code = 0;
};
[[nodiscard]] Ran shell(const std::string& command);

} // namespace apod::house
