#include "ptx/lexer.hpp"

#include <array>

namespace apod::ptx {

namespace {

constexpr std::uint8_t follow = 1; // may stand inside an identifier
constexpr std::uint8_t letter = 2; // may start one
constexpr std::uint8_t digit = 4;
constexpr std::uint8_t blank = 8;

constexpr std::array<std::uint8_t, 256> classes() {
    std::array<std::uint8_t, 256> table{};
    for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = follow | letter;
    for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = follow | letter;
    for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = follow | digit;
    table['_'] = table['$'] = follow | letter;
    table['%'] = letter;
    for (const char c : {' ', '\t', '\r', '\n', '\v', '\f'}) table[static_cast<std::size_t>(c)] = blank;
    return table;
}

constexpr auto class_of_byte = classes();
std::uint8_t class_of(char c) { return class_of_byte[static_cast<unsigned char>(c)]; }

constexpr std::string_view operators = ",;:()[]{}<>=+-*/!~&|^?@%";

} // namespace

bool is_identifier_character(char c) { return (class_of(c) & follow) != 0; }

TextPosition Lexer::place(std::size_t at) const { return {line_, static_cast<std::uint32_t>(at - line_start_ + 1)}; }

void Lexer::take(TokenKind kind, std::size_t length) {
    token_.kind = kind;
    token_.text = text_.substr(at_, length);
    token_.begin = at_;
    token_.end = at_ + length;
    token_.position = place(at_);
    at_ += length;
}

void Lexer::take_bad(std::string_view what, std::size_t length) {
    take(TokenKind::bad, length);
    token_.text = what;
}

void Lexer::skip_line() {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end;
}

bool Lexer::skip_comment() {
    const std::size_t close = text_.find("*/", at_ + 2);
    if (close == std::string_view::npos) {
        take_bad("a comment that is not closed", 2);
        at_ = text_.size();
        return false;
    }
    for (std::size_t i = at_; i < close; ++i) {
        if (text_[i] != '\n') continue;
        ++line_;
        line_start_ = i + 1;
    }
    at_ = close + 2;
    return true;
}

bool Lexer::skip_blank() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\n') {
            ++line_;
            line_start_ = ++at_;
        } else if (class_of(c) & blank) {
            ++at_;
        } else if (c == '/' && peek(1) == '/') {
            skip_line();
        } else if (c == '/' && peek(1) == '*') {
            if (!skip_comment()) return false;
        } else if (c == '@' && text_.substr(at_, 7) == "@@DWARF") {
            skip_line(); // debug information as PTX 2 wrote it
        } else {
            break;
        }
    }
    return true;
}

void Lexer::advance() {
    if (!skip_blank()) return;
    if (at_ >= text_.size()) return take(TokenKind::end, 0);
    const char c = text_[at_];
    const std::uint8_t kind = class_of(c);
    if ((kind & letter) && (c != '%' || is_identifier_character(peek(1)))) {
        std::size_t length = 1;
        while (at_ + length < text_.size() && (class_of(text_[at_ + length]) & follow)) ++length;
        return take(TokenKind::identifier, length);
    }
    if (kind & digit) return lex_number();
    if (c == '.') return lex_directive();
    if (c == '"') return lex_string();
    if (operators.find(c) != std::string_view::npos) return take(TokenKind::punctuation, 1);
    take_bad(c == '#' ? "a preprocessor line" : "a byte that PTX does not use", 1);
}

void Lexer::lex_directive() {
    std::size_t length = 1;
    while (true) {
        const char c = peek(length);
        if (is_identifier_character(c)) {
            ++length;
        } else if (c == ':' && peek(length + 1) == ':' && is_identifier_character(peek(length + 2))) {
            length += 2;
        } else {
            break;
        }
    }
    if (length == 1) return take_bad("a '.' without a name", 1);
    take(TokenKind::directive, length);
    token_.text.remove_prefix(1);
}

// Digits, letters of 0x.., 0f.. and U, one point and a signed exponent: whether they make a number is found by literal.hpp.
void Lexer::lex_number() {
    std::size_t length = 0;
    const bool prefixed = text_[at_] == '0' && (class_of(peek(1)) & letter) && peek(1) != 'e' && peek(1) != 'E';
    while (true) {
        const char c = peek(length);
        if (is_identifier_character(c)) {
            ++length;
            const bool exponent = !prefixed && (c == 'e' || c == 'E');
            if (exponent && (peek(length) == '+' || peek(length) == '-') && (class_of(peek(length + 1)) & digit)) ++length;
        } else if (c == '.' && !prefixed && !(class_of(peek(length + 1)) & letter)) {
            ++length;
        } else {
            break;
        }
    }
    take(TokenKind::number, length);
}

void Lexer::lex_string() {
    std::size_t length = 1;
    while (at_ + length < text_.size()) {
        const char c = text_[at_ + length];
        if (c == '\n') break;
        if (c == '"') {
            take(TokenKind::string, length + 1);
            token_.text = token_.text.substr(1, length - 1);
            return;
        }
        length += c == '\\' && at_ + length + 1 < text_.size() && text_[at_ + length + 1] != '\n' ? 2 : 1;
    }
    take_bad("a string that is not closed on its line", 1);
}

void Lexer::skip_braces() {
    std::size_t depth = 0;
    while (token_.kind != TokenKind::end) {
        if (token_.is('{')) ++depth;
        if (token_.is('}') && --depth == 0) return;
        advance();
    }
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 60;
    constexpr std::string_view hex = "0123456789abcdef";
    std::string result = "'";
    for (const char c : text.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            result += c;
        } else {
            result += "\\x";
            result += hex[byte >> 4];
            result += hex[byte & 15];
        }
    }
    if (text.size() > longest) result += "...";
    return result + "'";
}

} // namespace apod::ptx
