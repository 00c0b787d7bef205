#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace apod {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

struct Range {
    char32_t first;
    char32_t last;
};

// Blocks of combining and zero-width characters, ascending.
constexpr std::array<Range, 9> zero_width = {{{0x0300, 0x036F},
                                              {0x0483, 0x0489},
                                              {0x1AB0, 0x1AFF},
                                              {0x1DC0, 0x1DFF},
                                              {0x200B, 0x200F},
                                              {0x202A, 0x202E},
                                              {0x20D0, 0x20FF},
                                              {0xFE00, 0xFE0F},
                                              {0xFE20, 0xFE2F}}};

// Blocks whose characters are wide or full width, ascending.
constexpr std::array<Range, 14> double_width = {{{0x1100, 0x115F},
                                                 {0x2E80, 0x303E},
                                                 {0x3041, 0x33FF},
                                                 {0x3400, 0x4DBF},
                                                 {0x4E00, 0x9FFF},
                                                 {0xA000, 0xA4CF},
                                                 {0xAC00, 0xD7A3},
                                                 {0xF900, 0xFAFF},
                                                 {0xFE30, 0xFE6F},
                                                 {0xFF00, 0xFF60},
                                                 {0xFFE0, 0xFFE6},
                                                 {0x1F300, 0x1F64F},
                                                 {0x1F900, 0x1F9FF},
                                                 {0x20000, 0x3FFFD}}};

template<std::size_t n> bool within(const std::array<Range, n>& ranges, char32_t value) {
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), value, [](char32_t v, const Range& r) { return v < r.first; });
    return after != ranges.begin() && value <= std::prev(after)->last;
}

bool is_control(char32_t value) { return value < 0x20 || (value >= 0x7F && value < 0xA0); }

// Bidirectional overrides reorder what the reader sees, U+2028 and U+2029 break lines: neither belongs in one line of a table.
bool is_layout(char32_t value) { return (value >= 0x2028 && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069); }

} // namespace

CodePoint decode_utf8(std::string_view text) {
    constexpr CodePoint malformed = {0xFFFD, 1, false};
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {lead, 1, true};
    const unsigned length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return malformed;
    char32_t value = lead & (0x7FU >> length);
    for (unsigned i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return malformed;
        value = (value << 6U) | (byte(i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < smallest[length] || value > 0x10FFFF || surrogate) return malformed;
    return {value, static_cast<std::uint8_t>(length), true};
}

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const CodePoint point = decode_utf8(text);
        if (point.value == '\t' || point.value == '\n' || point.value == '\r') {
            out += ' ';
        } else if (!point.valid || is_control(point.value) || is_layout(point.value)) {
            out += replacement;
        } else {
            out += text.substr(0, point.bytes);
        }
        text.remove_prefix(point.bytes);
    }
    return out;
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const CodePoint point = decode_utf8(text);
        if (!within(zero_width, point.value)) width += within(double_width, point.value) ? 2 : 1;
        text.remove_prefix(point.bytes);
    }
    return width;
}

} // namespace apod
