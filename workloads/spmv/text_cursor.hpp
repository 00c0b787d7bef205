// A text read line by line and word by word, with the place of what was read.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apod::spmv {

class TextCursor {
public:
    TextCursor(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

    // To the next line that holds more than blanks and is no comment ('%'); false at the end of the text.
    bool next_line();
    // To the next line whatever it holds.
    bool next_raw_line();
    [[nodiscard]] std::string_view line() const { return line_; }

    // The next word of the line; empty at its end.
    std::string_view word();
    // Nothing but blanks is left of the line.
    [[nodiscard]] bool at_line_end();

    // A whole number from 0 to 2^63 - 1, or a real one; `what` names it in messages.
    Result<std::int64_t> count(std::string_view what);
    Result<double> real(std::string_view what);

    // An error at the word read last, or at the end of the text once it is reached.
    [[nodiscard]] Diagnostic error(std::string message, std::string hint = {}) const;
    [[nodiscard]] std::uint64_t bytes_left() const { return rest_.size(); }

private:
    std::string_view rest_; // what follows the line
    std::string_view line_;
    std::size_t at_ = 0;    // in the line
    std::size_t start_ = 0; // of the word read last
    std::uint32_t number_ = 0;
    std::string file_;
};

} // namespace apod::spmv
