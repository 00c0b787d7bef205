#include "ladder/expression.hpp"

#include <gtest/gtest.h>

namespace apod::ladder {
namespace {

const Environment names = {{"n", std::int64_t{1000}}, {"x", 0.25}, {"zero", std::int64_t{0}}};
const SourcePosition start = {"a.toml", 7, 20};

std::string value_of(std::string_view text) {
    const auto expression = Expression::parse(text, start);
    if (!expression) return to_text(expression.error());
    const auto value = expression->evaluate(names);
    return value.ok() ? to_text(*value) : to_text(value.error());
}

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Expression, arithmetic_binds_as_usual) {
    EXPECT_EQ(value_of("1 + 2 * 3"), "7");
    EXPECT_EQ(value_of("(1 + 2) * 3"), "9");
    EXPECT_EQ(value_of("10 - 4 - 3"), "3");
    EXPECT_EQ(value_of("-2 * -3"), "6");
    EXPECT_EQ(value_of("2 * n * n * 4"), "8000000");
    EXPECT_EQ(value_of("1e3 + .5"), "1000.5");
}

TEST(Expression, a_quotient_is_whole_where_it_is_whole) {
    EXPECT_EQ(value_of("n / 2"), "500");
    EXPECT_EQ(value_of("n / 32"), "31.25");
    EXPECT_EQ(value_of("ceil(n / 32)"), "32");
    EXPECT_EQ(value_of("floor(n / 32)"), "31");
    EXPECT_EQ(value_of("ceil(9007199254740993 / 1)"), "9007199254740993");
}

TEST(Expression, a_remainder_has_the_sign_of_the_divisor) {
    EXPECT_EQ(value_of("7 % 3"), "1");
    EXPECT_EQ(value_of("-7 % 3"), "2");
    EXPECT_EQ(value_of("7 % -3"), "-2");
}

TEST(Expression, functions) {
    EXPECT_EQ(value_of("min(3, n, 2)"), "2");
    EXPECT_EQ(value_of("max(3, x)"), "3");
    EXPECT_EQ(value_of("pow2ceil(n)"), "1024");
    EXPECT_EQ(value_of("pow2ceil(1024)"), "1024");
    EXPECT_EQ(value_of("pow2ceil(0)"), "1");
    EXPECT_EQ(value_of("pow(2, 10)"), "1024");
    EXPECT_EQ(value_of("pow(-1, 1000000000000000001)"), "-1");
    EXPECT_EQ(value_of("sqrt(n * 10)"), "100");
    EXPECT_EQ(value_of("abs(-3)"), "3");
    EXPECT_EQ(value_of("round(2.5)"), "3");
    EXPECT_EQ(value_of("if(n > 10, 1, 1 / 0)"), "1");
}

TEST(Expression, conditions) {
    EXPECT_EQ(value_of("n <= 4096"), "true");
    EXPECT_EQ(value_of("n % 4 == 0 and not n < 10"), "true");
    EXPECT_EQ(value_of("n == 1 || n == 1000 && false"), "false");
    EXPECT_EQ(value_of("zero != 0 and n / zero > 1"), "false");
    EXPECT_EQ(value_of("!(x < 1)"), "false");
}

TEST(Expression, errors_carry_the_column_within_the_file) {
    EXPECT_TRUE(mentions(value_of("n / zero"), "a.toml:7:22: division by zero: 1000 / 0"));
    EXPECT_TRUE(mentions(value_of("n % zero"), "division by zero"));
    EXPECT_TRUE(mentions(value_of("n + "), "a.toml:7:24: expected a number"));
    EXPECT_TRUE(mentions(value_of("n n"), "a.toml:7:22: 'n n' is neither a number nor a formula: expected an operator"));
    EXPECT_TRUE(mentions(value_of("(n"), "expected ')'"));
    EXPECT_TRUE(mentions(value_of("ciel(n)"), "did you mean 'ceil'"));
    EXPECT_TRUE(mentions(value_of("m + 1"), "there is no parameter 'm'"));
    EXPECT_TRUE(mentions(value_of("1 < 2 < 3"), "cannot be chained"));
    EXPECT_TRUE(mentions(value_of("n and true"), "conditions"));
    EXPECT_TRUE(mentions(value_of("min()"), "expected a number"));
    EXPECT_TRUE(mentions(value_of("pow(2)"), "takes 2 operands"));
    EXPECT_TRUE(mentions(value_of("1 $ 2"), "'$'"));
    EXPECT_TRUE(mentions(value_of(""), "the expression ends"));
    EXPECT_TRUE(mentions(value_of("12abc"), "not a number"));
}

TEST(Expression, what_leaves_64_bits_is_an_error) {
    EXPECT_TRUE(mentions(value_of("9223372036854775807 + 1"), "64 bits"));
    EXPECT_TRUE(mentions(value_of("4294967296 * 4294967296"), "64 bits"));
    EXPECT_TRUE(mentions(value_of("pow(10, 30)"), "64 bits"));
    EXPECT_TRUE(mentions(value_of("pow2ceil(9e18)"), "64 bits"));
    EXPECT_TRUE(mentions(value_of("ceil(1e300)"), "64 bits"));
    EXPECT_TRUE(mentions(value_of("(-9223372036854775807 - 1) / -1"), "64 bits"));
    EXPECT_TRUE(mentions(value_of("sqrt(-1)"), "finite"));
    EXPECT_TRUE(mentions(value_of("1e999"), "not a number"));
}

TEST(Expression, deep_nesting_is_an_error_not_a_crash) {
    EXPECT_TRUE(mentions(value_of(std::string(1000, '(')), "nested too deeply"));
    EXPECT_TRUE(mentions(value_of(std::string(1000, '-') + "1"), "nested too deeply"));
    std::string sum = "1";
    for (int i = 0; i < 300; ++i) sum += " + 1";
    EXPECT_EQ(value_of(sum), "301");
    EXPECT_TRUE(mentions(value_of(std::string(5000, '1')), "too long"));
}

TEST(Expression, counts_must_be_integers_and_large_enough) {
    const auto count = [](std::string_view text) {
        const auto result = Expression::parse(text, start)->evaluate_count(names, "grid", 1);
        return result.ok() ? std::to_string(*result) : to_text(result.error());
    };
    EXPECT_EQ(count("ceil(n/16)"), "63");
    EXPECT_EQ(count("n * x"), "250");
    EXPECT_TRUE(mentions(count("n/16"), "a.toml:7:20: grid needs an integer, and 'n/16' is 62.5"));
    EXPECT_TRUE(mentions(count("n/16"), "ceil(n/16)"));
    EXPECT_TRUE(mentions(count("zero"), "grid must be at least 1"));
    EXPECT_TRUE(mentions(count("-1"), "grid must be at least 1"));
    EXPECT_TRUE(mentions(count("n > 1"), "condition"));
}

TEST(Expression, the_names_it_uses_are_known_before_it_is_evaluated) {
    const auto found = Expression::parse("max(n, m) * n", start)->names();
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[1].name, "m");
    EXPECT_EQ(found[1].where.column, 27u);
}

} // namespace
} // namespace apod::ladder
