#include "base/text_table.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apod {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t narrowest_last = 20; // a last column narrower than this is unreadable: let the terminal wrap instead

std::string_view code(Tint tint) {
    switch (tint) {
    case Tint::none: return "";
    case Tint::good: return "\x1b[32m";
    case Tint::warning: return "\x1b[33m";
    case Tint::bad: return "\x1b[31m";
    case Tint::dim: return "\x1b[2m";
    case Tint::strong: return "\x1b[1m";
    }
    return "";
}

// Bytes of the longest prefix that is at most `width` columns wide, and at least one character.
std::size_t prefix_of_width(std::string_view text, std::size_t width) {
    std::size_t bytes = 0;
    std::size_t columns = 0;
    while (bytes < text.size()) {
        const std::size_t length = decode_utf8(text.substr(bytes)).bytes;
        columns += display_width(text.substr(bytes, length));
        if (columns > width && bytes > 0) break;
        bytes += length;
    }
    return bytes;
}

void trim_end(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

// One output line of a row; the last cell is left aligned or right aligned like any other.
class LineWriter {
public:
    LineWriter(const std::vector<TextColumn>& columns, const std::vector<std::size_t>& widths, bool colour) :
        columns_(columns), widths_(widths), colour_(colour) {}

    void cell(std::size_t column, std::string_view text, Tint tint) {
        const std::size_t used = display_width(text);
        const std::size_t pad = widths_[column] > used ? widths_[column] - used : 0;
        if (column > 0) line_.append(gap, ' ');
        if (columns_[column].align == Align::right) line_.append(pad, ' ');
        line_ += tinted(text, tint, colour_);
        if (columns_[column].align == Align::left) line_.append(pad, ' ');
    }

    std::string finish() {
        trim_end(line_);
        return std::exchange(line_, {}) + "\n";
    }

private:
    const std::vector<TextColumn>& columns_;
    const std::vector<std::size_t>& widths_;
    bool colour_;
    std::string line_;
};

} // namespace

std::string tinted(std::string_view text, Tint tint, bool colour) {
    if (!colour || tint == Tint::none || text.empty()) return std::string(text);
    return std::string(code(tint)) + std::string(text) + "\x1b[0m";
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, LongWords long_words) {
    std::vector<std::string> lines;
    while (width != 0 && display_width(text) > width) {
        std::size_t cut = prefix_of_width(text, width);
        const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
        const std::size_t space = cut < text.size() && text[cut] == ' ' ? cut : text.substr(0, cut).rfind(' ');
        if (space != std::string_view::npos && space > indent) {
            cut = space;
        } else if (long_words == LongWords::keep) {
            cut = std::min(text.find(' ', std::max(cut, indent)), text.size());
        }
        std::string line(text.substr(0, cut));
        trim_end(line);
        lines.push_back(std::move(line));
        text.remove_prefix(cut);
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    }
    if (!text.empty() || lines.empty()) lines.emplace_back(text);
    return lines;
}

TextTable::TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

void TextTable::add_row(std::vector<Cell> cells) {
    if (cells.size() > columns_.size()) throw std::logic_error("a table row has more cells than the table has columns");
    cells.resize(columns_.size());
    for (Cell& cell : cells) cell.text = printable(cell.text);
    rows_.push_back(std::move(cells));
}

std::vector<std::size_t> TextTable::widths() const {
    std::vector<std::size_t> widths;
    for (const TextColumn& column : columns_) widths.push_back(std::max(display_width(column.title), display_width(column.subtitle)));
    for (const std::vector<Cell>& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i].text));
    return widths;
}

std::size_t TextTable::natural_width() const {
    std::size_t total = 0;
    for (const std::size_t width : widths()) total += width + gap;
    return total == 0 ? 0 : total - gap;
}

std::size_t TextTable::fixed_width() const {
    const std::vector<std::size_t> all = widths();
    return all.size() < 2 ? 0 : natural_width() - all.back() - gap;
}

std::string TextTable::render(const TextStyle& style) const {
    if (columns_.empty()) return {};
    std::vector<std::size_t> width = widths();
    if (style.width != 0 && natural_width() > style.width) {
        const std::size_t before = columns_.size() < 2 ? 0 : fixed_width() + gap;
        const std::size_t room = style.width > before ? style.width - before : 0;
        width.back() = std::min(width.back(), std::max(room, narrowest_last));
    }
    const std::size_t last = columns_.size() - 1;
    LineWriter writer(columns_, width, style.colour);
    std::string out;
    for (std::size_t i = 0; i <= last; ++i) writer.cell(i, columns_[i].title, Tint::strong);
    out += writer.finish();
    if (std::any_of(columns_.begin(), columns_.end(), [](const TextColumn& column) { return !column.subtitle.empty(); })) {
        for (std::size_t i = 0; i <= last; ++i) writer.cell(i, columns_[i].subtitle, Tint::dim);
        out += writer.finish();
    }
    for (std::size_t i = 0; i <= last; ++i) writer.cell(i, std::string(width[i], '-'), Tint::dim);
    out += writer.finish();
    for (const std::vector<Cell>& row : rows_) {
        const std::vector<std::string> lines = wrap(row[last].text, width[last]);
        for (std::size_t line = 0; line < lines.size(); ++line) {
            for (std::size_t i = 0; i < last; ++i) writer.cell(i, line == 0 ? row[i].text : std::string(), row[i].tint);
            writer.cell(last, lines[line], row[last].tint);
            out += writer.finish();
        }
    }
    return out;
}

} // namespace apod
