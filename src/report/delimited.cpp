#include "report/delimited.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <cmath>

namespace apod::report {
namespace {

// Unlike printable(): a quoted CSV cell may hold line ends.
std::string valid_utf8(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const CodePoint point = decode_utf8(text);
        out += point.valid ? text.substr(0, point.bytes) : std::string_view("\xEF\xBF\xBD");
        text.remove_prefix(point.bytes);
    }
    return out;
}

} // namespace

std::string plain_number(std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return {};
    constexpr double exact_integers = 9007199254740992.0; // 2^53
    if (*value == std::trunc(*value) && std::abs(*value) <= exact_integers) return fmt::format("{:.0f}", *value);
    return fmt::format("{}", *value);
}

std::string csv_row(const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) out += ',';
        const std::string cell = valid_utf8(cells[i]);
        if (cell.find_first_of(",\"\r\n") == std::string::npos) {
            out += cell;
            continue;
        }
        out += '"';
        for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
        out += '"';
    }
    return out + "\n";
}

std::string markdown_text(std::string_view text) {
    std::string out;
    for (const char c : printable(text)) {
        if (std::string_view("\\`*_{}[]<>#|~").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

std::string markdown_table(const std::vector<std::string>& header, const std::vector<bool>& right,
                           const std::vector<std::vector<std::string>>& rows) {
    const auto row_text = [](const std::vector<std::string>& cells) {
        std::string out = "|";
        for (const std::string& cell : cells) out += " " + markdown_text(cell) + " |";
        return out + "\n";
    };
    std::string out = row_text(header) + "|";
    for (std::size_t i = 0; i < header.size(); ++i) out += i < right.size() && right[i] ? " ---: |" : " --- |";
    out += "\n";
    for (const std::vector<std::string>& row : rows) out += row_text(row);
    return out;
}

} // namespace apod::report
