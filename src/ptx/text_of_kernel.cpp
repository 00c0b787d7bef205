#include "ptx/text_of_kernel.hpp"

#include "ptx/lexer.hpp"

#include <algorithm>

namespace apod::ptx {
namespace {

bool is_linkage(const Token& token) {
    return token.is_directive("visible") || token.is_directive("extern") || token.is_directive("weak") || token.is_directive("common");
}

// The current token is .entry; makes the last token of the kernel current and gives its name.
std::string_view skip_kernel(Lexer& lexer) {
    std::string_view name;
    while (lexer.current().kind != TokenKind::end && !lexer.current().is(';')) {
        const Token& token = lexer.current();
        if (token.is('{')) {
            lexer.skip_braces();
            break;
        }
        if (name.empty() && token.kind == TokenKind::identifier) name = token.text;
        lexer.advance();
    }
    return name;
}

} // namespace

std::string text_of_kernel(std::string_view text, std::string_view kernel) {
    std::string result;
    std::size_t kept = 0; // the text before this is in the result, or is left out
    for (Lexer lexer(text); lexer.current().kind != TokenKind::end; lexer.advance()) {
        const std::size_t begin = lexer.current().begin;
        while (is_linkage(lexer.current())) lexer.advance();
        if (lexer.current().is('{')) lexer.skip_braces();
        if (!lexer.current().is_directive("entry") || skip_kernel(lexer) == kernel) continue;
        result += text.substr(kept, begin - kept);
        kept = std::min(lexer.current().end, text.size());
        result.append(static_cast<std::size_t>(std::count(text.begin() + begin, text.begin() + kept, '\n')), '\n');
    }
    return result += text.substr(kept);
}

} // namespace apod::ptx
