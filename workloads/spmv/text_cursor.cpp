#include "workloads/spmv/text_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace apod::spmv {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// A word as it is shown in a message: without bytes that a terminal would obey.
std::string shown(std::string_view word) {
    std::string text(word.substr(0, 40));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f; },
        '?');
    return text;
}

} // namespace

bool TextCursor::next_raw_line() {
    at_ = start_ = 0;
    line_ = {};
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
}

bool TextCursor::next_line() {
    while (next_raw_line()) {
        if (at_line_end()) continue;
        if (line_[at_] != '%') return true;
    }
    return false;
}

bool TextCursor::at_line_end() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    return at_ == line_.size();
}

std::string_view TextCursor::word() {
    if (at_line_end()) {
        start_ = at_;
        return {};
    }
    start_ = at_;
    while (at_ < line_.size() && !is_blank(line_[at_])) ++at_;
    return line_.substr(start_, at_ - start_);
}

Result<std::int64_t> TextCursor::count(std::string_view what) {
    const std::string_view text = word();
    if (text.empty()) return error(fmt::format("{} is missing", what));
    std::int64_t value = 0;
    const char* const first = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
    const auto [end, failed] = std::from_chars(first, text.data() + text.size(), value);
    if (failed == std::errc::result_out_of_range) return error(fmt::format("{} is {}, which does not fit 64 bits", what, shown(text)));
    if (failed != std::errc() || end != text.data() + text.size())
        return error(fmt::format("{} is '{}', no whole number", what, shown(text)));
    if (value < 0) return error(fmt::format("{} is {}, a negative number", what, value));
    return value;
}

Result<double> TextCursor::real(std::string_view what) {
    const std::string_view text = word();
    if (text.empty()) return error(fmt::format("{} is missing", what));
    double value = 0;
    const char* const first = text.data() + (text.size() > 1 && text[0] == '+' && text[1] != '-' ? 1 : 0);
    const char* const last = text.data() + text.size();
    auto [end, failed] = std::from_chars(first, last, value);
    if (failed == std::errc::result_out_of_range) {
        // from_chars does not tell too large from too small; what is too small is nearest to zero, and what is too large to infinity.
        value = std::strtod(std::string(first, last).c_str(), nullptr);
        failed = std::errc();
    }
    if (failed == std::errc() && end != last && (*end == 'd' || *end == 'D')) {
        std::string with_e(first, last);
        with_e[static_cast<std::size_t>(end - first)] = 'e';
        const auto again = std::from_chars(with_e.data(), with_e.data() + with_e.size(), value);
        failed = again.ec;
        end = again.ptr == with_e.data() + with_e.size() ? last : first;
    }
    if (failed != std::errc() || end != last) return error(fmt::format("{} is '{}', no number", what, shown(text)));
    return value;
}

Diagnostic TextCursor::error(std::string message, std::string hint) const {
    return bad_input({file_, std::max(number_, 1u), static_cast<std::uint32_t>(start_ + 1)}, std::move(message), std::move(hint));
}

} // namespace apod::spmv
