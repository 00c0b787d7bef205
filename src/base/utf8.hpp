// UTF-8 for terminals: text from files and programs is made safe to print, and measured in terminal columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace apod {

struct CodePoint {
    char32_t value = 0;
    std::uint8_t bytes = 1; // of the input that it took
    bool valid = true;      // false: a byte that starts no well-formed sequence (overlong forms and surrogates included); value is U+FFFD
};

// The first code point of a text that is not empty.
[[nodiscard]] CodePoint decode_utf8(std::string_view text);

// Valid UTF-8 of one line: tabs and line ends become spaces, other control characters (escape sequences among them) and malformed bytes
// become U+FFFD. What is already so comes back unchanged.
[[nodiscard]] std::string printable(std::string_view text);

// Columns that a terminal gives the text: combining marks take none, East Asian wide characters and emoji two (Unicode Annex 11).
[[nodiscard]] std::size_t display_width(std::string_view text);

} // namespace apod
