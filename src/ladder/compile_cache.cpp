#include "ladder/compile_cache.hpp"

#include "base/file.hpp"
#include "base/fingerprint.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <system_error>

namespace apod::ladder {

namespace fs = std::filesystem;

namespace {

// First line of an entry; another version of the format is no entry.
constexpr std::string_view heading = "apod compiled PTX 1\n";

// Takes a line off the front of the text.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

} // namespace

CompileCache::CompileCache(const fs::path& directory, const fs::path& nvcc, const fs::path& source, std::string_view contents,
                           const std::vector<std::string>& flags) {
    if (directory.empty()) return;
    Fingerprint fingerprint;
    fingerprint.add(nvcc.string());
    fingerprint.add(state_of(nvcc));
    // The same text elsewhere includes other files, and its line table names another path.
    std::error_code ignored;
    fingerprint.add(fs::absolute(source, ignored).string());
    fingerprint.add(source.string());
    fingerprint.add(contents);
    for (const std::string& flag : flags) fingerprint.add(flag);
    entry_ = directory / "ptx" / (fingerprint.text() + ".ptx");
}

std::optional<std::string> CompileCache::find() const {
    if (entry_.empty()) return std::nullopt;
    const auto contents = read_file(entry_);
    if (!contents || !contents->starts_with(heading)) return std::nullopt;
    std::string_view rest = *contents;
    take_line(rest);
    for (;;) {
        const std::string_view state = take_line(rest);
        if (state == "ptx") return std::string(rest);
        const std::string_view path = take_line(rest);
        if (path.empty() || state != state_of(path)) return std::nullopt;
    }
}

void CompileCache::keep(std::string_view ptx, const std::vector<fs::path>& dependencies) const {
    if (entry_.empty()) return;
    std::string contents(heading);
    for (const fs::path& path : dependencies) contents += state_of(path) + "\n" + path.string() + "\n";
    contents += "ptx\n";
    contents += ptx;
    (void)write_file(entry_, contents).ok(); // without it the next run compiles again
}

std::vector<fs::path> parse_dependencies(std::string_view rule, const fs::path& source) {
    std::vector<fs::path> paths;
    const std::size_t colon = rule.find(": ");
    if (colon == std::string_view::npos) return paths;
    std::string path;
    const auto finish = [&] {
        std::error_code ignored;
        if (!path.empty() && !fs::equivalent(path, source, ignored)) paths.push_back(fs::absolute(path, ignored));
        path.clear();
    };
    for (std::size_t i = colon + 2; i < rule.size(); ++i) {
        const char c = rule[i];
        const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
        if (c == '\\' && next == '\n') {
            finish();
            ++i;
        } else if (c == '\\' && next == ' ') {
            path += ' ';
            ++i;
        } else if (c == ' ' || c == '\n') {
            finish();
        } else {
            path += c;
        }
    }
    finish();
    return paths;
}

} // namespace apod::ladder
