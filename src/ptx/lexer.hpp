// Tokens of PTX text: views into it, with places. Nothing is allocated.
#pragma once

#include "ptx/module.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apod::ptx {

enum class TokenKind : std::uint8_t {
    end,
    bad,        // `text` is what is wrong with the bytes at `position`
    identifier, // %r1, $L__BB0_1, _Z1k, add, _
    directive,  // .reg, .f32, .L2::128B: `text` is without the leading dot
    number,     // as written; its value is the business of literal.hpp
    string,     // "..." without the quotes, escapes untouched
    punctuation // one character
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
    std::size_t begin = 0; // byte offsets in the text, [begin, end)
    std::size_t end = 0;
    TextPosition position;

    [[nodiscard]] bool is(char c) const { return kind == TokenKind::punctuation && text.front() == c; }
    [[nodiscard]] bool is_directive(std::string_view name) const { return kind == TokenKind::directive && text == name; }
    [[nodiscard]] bool is_identifier(std::string_view name) const { return kind == TokenKind::identifier && text == name; }
};

class Lexer {
public:
    // Lines count on from `lines_before`.
    explicit Lexer(std::string_view text, std::uint32_t lines_before = 0) : text_(text), line_(lines_before + 1) { advance(); }

    [[nodiscard]] const Token& current() const { return token_; }
    void advance();
    // The current token is the '{' of a section whose contents nobody needs: makes the matching '}' current, or the end.
    void skip_braces();

private:
    bool skip_blank(); // false: an unterminated comment, token_ says so
    bool skip_comment();
    void skip_line();
    void take(TokenKind kind, std::size_t length);
    void take_bad(std::string_view what, std::size_t length);
    void lex_directive();
    void lex_number();
    void lex_string();
    [[nodiscard]] TextPosition place(std::size_t at) const;
    [[nodiscard]] char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_start_ = 0;
    std::uint32_t line_ = 1;
    Token token_;
};

[[nodiscard]] bool is_identifier_character(char c); // letters, digits, _ and $

// For messages: quoted, unprintable bytes escaped, shortened.
[[nodiscard]] std::string in_quotes(std::string_view text);

} // namespace apod::ptx
