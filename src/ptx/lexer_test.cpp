#include "ptx/lexer.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace apod::ptx {
namespace {

std::vector<std::string> texts(std::string_view text) {
    std::vector<std::string> result;
    for (Lexer lexer{text}; lexer.current().kind != TokenKind::end; lexer.advance()) {
        result.emplace_back(lexer.current().text);
        if (lexer.current().kind == TokenKind::bad) break;
    }
    return result;
}

using Texts = std::vector<std::string>;

TEST(Lexer, an_instruction_is_its_name_its_modifiers_and_its_operands) {
    EXPECT_EQ(texts("@!%p1 ld.global.L2::128B.v2.f32 {%f1, _}, [%rd1+-4];"),
              (Texts{"@", "!", "%p1", "ld", "global", "L2::128B", "v2", "f32", "{", "%f1", ",",
                     "_", "}", ",",   "[",  "%rd1",   "+",        "-",  "4",   "]", ";"}));
}

TEST(Lexer, a_label_and_its_colon_are_two_tokens_even_before_a_directive) {
    EXPECT_EQ(texts("$L__BB0_1:.reg"), (Texts{"$L__BB0_1", ":", "reg"}));
}

TEST(Lexer, numbers_keep_prefixes_suffixes_points_and_exponents) {
    EXPECT_EQ(texts("0x1F+5U 0f3F800000 1.5e-3 9.0 017 0b101"), (Texts{"0x1F", "+", "5U", "0f3F800000", "1.5e-3", "9.0", "017", "0b101"}));
}

TEST(Lexer, a_component_is_not_swallowed_by_the_number_before_it) { EXPECT_EQ(texts("5.x"), (Texts{"5", "x"})); }

TEST(Lexer, comments_of_both_kinds_and_old_debug_lines_are_blank) {
    EXPECT_EQ(texts("a // b\n/* c\nd */ e\n@@DWARF .byte 1\nf"), (Texts{"a", "e", "f"}));
}

TEST(Lexer, lines_and_columns_count_from_one_also_after_comments_over_several_lines) {
    Lexer lexer{"a\n  /* \n\n */ b"};
    EXPECT_EQ(lexer.current().position.line, 1u);
    EXPECT_EQ(lexer.current().position.column, 1u);
    lexer.advance();
    EXPECT_EQ(lexer.current().position.line, 4u);
    EXPECT_EQ(lexer.current().position.column, 5u);
}

TEST(Lexer, what_is_wrong_is_a_token_that_says_so) {
    EXPECT_EQ(texts("/* open"), (Texts{"a comment that is not closed"}));
    EXPECT_EQ(texts("\"open\n\""), (Texts{"a string that is not closed on its line"}));
    EXPECT_EQ(texts("\x80"), (Texts{"a byte that PTX does not use"}));
    EXPECT_EQ(texts("#define"), (Texts{"a preprocessor line"}));
    EXPECT_EQ(texts(". x"), (Texts{"a '.' without a name"}));
}

TEST(Lexer, a_string_ends_at_the_quote_that_is_not_escaped) { EXPECT_EQ(texts(R"("a\"b\\" c)"), (Texts{R"(a\"b\\)", "c"})); }

TEST(Lexer, braces_are_skipped_to_the_matching_one) {
    Lexer lexer{"{ .b8 1 { x } } y"};
    lexer.skip_braces();
    EXPECT_TRUE(lexer.current().is('}'));
    lexer.advance();
    EXPECT_TRUE(lexer.current().is_identifier("y"));
}

TEST(Lexer, quoted_text_is_short_and_printable) {
    EXPECT_EQ(in_quotes("a\x01"), "'a\\x01'");
    EXPECT_EQ(in_quotes(std::string(100, 'x')), "'" + std::string(60, 'x') + "...'");
}

} // namespace
} // namespace apod::ptx
