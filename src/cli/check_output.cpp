#include "cli/check_output.hpp"

#include "base/file.hpp"
#include "cli/output.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include <cstdio>

namespace apod::cli {
namespace {

constexpr std::uint64_t largest_source_bytes = std::uint64_t{16} << 20;

std::vector<std::string> lines_of(const std::string& file) {
    std::vector<std::string> lines;
    std::error_code ignored;
    for (const std::filesystem::path& path : {std::filesystem::path(file), std::filesystem::path(file).filename()}) {
        if (!std::filesystem::is_regular_file(path, ignored)) continue;
        const Result<std::string> text = read_file(path, largest_source_bytes);
        if (!text) continue;
        std::istringstream stream(*text);
        for (std::string line; std::getline(stream, line);) lines.push_back(line);
        break;
    }
    return lines;
}

} // namespace

bool to_stdout(const OutputOptions& output) { return output.json == "-" || output.csv == "-" || output.markdown == "-"; }

int add_checks(const report::CheckView& view, const report::SourceText& source, const OutputOptions& output) {
    const std::string text = "--- apod check\n" + report::check_text(view, source, text_style(output));
    if (to_stdout(output))
        std::fwrite(text.data(), 1, text.size(), stderr);
    else if (const Result<void> written = write_stdout(text); !written)
        return report_error(written.error());
    return view.reports.empty() ? 0 : exit_code(ErrorKind::check_failed);
}

report::SourceText program_source_text() {
    const auto cache = std::make_shared<std::map<std::string, std::vector<std::string>>>();
    return [cache](const std::string& file, std::uint32_t line) -> std::optional<std::string> {
        const auto [place, fresh] = cache->try_emplace(file);
        if (fresh) place->second = lines_of(file);
        if (line == 0 || line > place->second.size()) return std::nullopt;
        return place->second[line - 1];
    };
}

} // namespace apod::cli
