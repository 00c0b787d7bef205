#include "cli/source_text.hpp"

#include "base/assets.hpp"
#include "base/file.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace apod::cli {
namespace {

constexpr std::uint64_t largest_source_bytes = std::uint64_t{16} << 20;

std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        if (!lines.back().empty() && lines.back().back() == '\r') lines.back().pop_back();
        begin = end + 1;
    }
    return lines;
}

std::optional<std::string> built_in_text(const std::string& file) {
    const std::size_t start = file.rfind("workloads/");
    if (start == std::string::npos) return std::nullopt;
    const std::optional<std::string_view> asset = find_asset(std::string_view(file).substr(start));
    if (!asset) return std::nullopt;
    return std::string(*asset);
}

std::optional<std::string> whole_text(const ladder::Origin& origin, const std::vector<ladder::SourceFile>& sources,
                                      const std::string& file) {
    const std::filesystem::path name = std::filesystem::path(file).filename();
    for (const ladder::SourceFile& source : sources) {
        if (std::filesystem::path(source.path).filename() != name) continue;
        if (Result<std::string> text = ladder::read_ladder_file(origin, source.path, source.where)) return *std::move(text);
    }
    if (std::optional<std::string> text = built_in_text(file)) return text;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
    if (Result<std::string> text = read_file(file, largest_source_bytes)) return *std::move(text);
    return std::nullopt;
}

} // namespace

report::SourceText source_text(const ladder::Ladder& ladder) {
    const auto cache = std::make_shared<std::map<std::string, std::vector<std::string>>>();
    return [cache, origin = ladder.origin, sources = ladder.sources](const std::string& file,
                                                                     std::uint32_t line) -> std::optional<std::string> {
        const auto [place, fresh] = cache->try_emplace(file);
        if (fresh) place->second = split_lines(whole_text(origin, sources, file).value_or(""));
        if (line == 0 || line > place->second.size()) return std::nullopt;
        return place->second[line - 1];
    };
}

} // namespace apod::cli
