#include "source_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sys/wait.h>

namespace apod::house {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 9> source_folders = {"include", "src",  "runtime", "inject",  "workloads",
                                                            "tests",   "fuzz", "bench",   "examples"};
constexpr std::array<std::string_view, 4> cxx_suffixes = {".cpp", ".hpp", ".cu", ".cuh"};
constexpr std::array<std::string_view, 6> binary_suffixes = {".npy", ".png", ".cubin", ".fatbin", ".db", ".zst"};

template<class List> bool contains(const List& list, std::string_view item) {
    return std::find(std::begin(list), std::end(list), item) != std::end(list);
}

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t`");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t`") - first + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (true) {
        const auto at = text.find(separator);
        parts.push_back(trimmed(text.substr(0, at)));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

// A build directory, wherever it lies below the root, and what version control keeps.
bool is_foreign_folder(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return name == ".git" || name == ".cache" || name == "__pycache__" || name.starts_with("build");
}

std::vector<std::string> find_all_files() {
    std::vector<std::string> found;
    for (auto it = fs::recursive_directory_iterator(root()); it != fs::recursive_directory_iterator(); ++it) {
        if (it->is_directory() && is_foreign_folder(*it)) it.disable_recursion_pending();
        const std::string path = fs::relative(it->path(), root()).generic_string();
        if (it->is_regular_file() && !contains(binary_suffixes, it->path().extension().string())) found.push_back(path);
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<SourceFile> find_cxx_files() {
    std::vector<SourceFile> found;
    for (const std::string& path : all_files()) {
        const bool ours = contains(source_folders, path.substr(0, path.find('/')));
        if (ours && contains(cxx_suffixes, fs::path(path).extension().string())) found.push_back(read(path));
    }
    return found;
}

// Rows are `| folder | holds | may include | libraries |`, the folder in backquotes.
FolderTable read_folder_table() {
    FolderTable table;
    for (const std::string& line : read("docs/ARCHITECTURE.md").lines) {
        if (!line.starts_with("| `")) continue;
        const std::vector<std::string> cells = split(line, '|');
        if (cells.size() != 6) continue; // another table
        Folder& folder = table[cells[1]];
        for (const std::string& item : split(cells[3], ',')) {
            if (item == "all")
                folder.may_include_all = true;
            else if (!item.empty())
                folder.may_include.insert(item);
        }
        for (const std::string& item : split(cells[4], ',')) {
            if (!item.empty()) folder.libraries.insert(item);
        }
    }
    return table;
}

} // namespace

fs::path root() { return APOD_SOURCE_DIR; }

SourceFile read(const std::string& path) {
    SourceFile file{path, {}};
    std::ifstream in(root() / path);
    for (std::string line; std::getline(in, line);) file.lines.push_back(line);
    return file;
}

const std::vector<SourceFile>& cxx_files() {
    static const std::vector<SourceFile> files = find_cxx_files();
    return files;
}

const std::vector<std::string>& all_files() {
    static const std::vector<std::string> files = find_all_files();
    return files;
}

std::vector<SourceFile> documents() {
    std::vector<SourceFile> found;
    for (const std::string& path : all_files()) {
        const bool in_place = path == "README.md" || path.starts_with("docs/");
        if (in_place && path.ends_with(".md")) found.push_back(read(path));
    }
    return found;
}

bool is_test(std::string_view path) { return path.starts_with("tests/") || path.ends_with("_test.cpp"); }

std::vector<Include> includes_of(const SourceFile& file) {
    std::vector<Include> found;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        const std::string line = trimmed(file.lines[i]);
        const auto word = line.find("include");
        if (!line.starts_with("#") || word == std::string::npos || trimmed(line.substr(1, word - 1)) != "") continue;
        const auto open = line.find_first_of("\"<", word);
        if (open == std::string::npos) continue;
        const auto close = line.find_first_of("\">", open + 1);
        found.push_back({line.substr(open + 1, close - open - 1), line[open] == '"', i + 1});
    }
    return found;
}

std::string resolve(const SourceFile& from, const Include& include) {
    const fs::path beside = fs::path(from.path).parent_path();
    for (const fs::path& base : {beside, fs::path("src"), fs::path("include"), fs::path()}) {
        std::string path = (base / include.name).lexically_normal().generic_string();
        if (fs::is_regular_file(root() / path)) return path;
    }
    return {};
}

const FolderTable& folder_table() {
    static const FolderTable table = read_folder_table();
    return table;
}

std::string folder_of(std::string_view path) {
    std::string best;
    for (const auto& [name, folder] : folder_table()) {
        if (path.starts_with(name + "/") && name.size() > best.size()) best = name;
    }
    return best;
}

Ran shell(const std::string& command) {
    Ran ran;
    FILE* pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
    if (pipe == nullptr) return {"cannot start a shell", 127};
    std::array<char, 4096> buffer{};
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) ran.output.append(buffer.data(), n);
    const int status = pclose(pipe);
    ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return ran;
}

} // namespace apod::house
