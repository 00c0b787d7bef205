#include "ptx/literal.hpp"

#include <gtest/gtest.h>

namespace apod::ptx {
namespace {

std::uint64_t bits(std::string_view text) {
    const auto value = constant_from_text(text);
    EXPECT_TRUE(value) << text;
    return value ? value->bits : 0;
}

TEST(Literal, integers_come_in_four_bases_with_and_without_the_unsigned_suffix) {
    EXPECT_EQ(bits("42"), 42u);
    EXPECT_EQ(bits("0"), 0u);
    EXPECT_EQ(bits("0U"), 0u);
    EXPECT_EQ(bits("017"), 15u);
    EXPECT_EQ(bits("0x1fU"), 31u);
    EXPECT_EQ(bits("0XFF"), 255u);
    EXPECT_EQ(bits("0b1010"), 10u);
    EXPECT_EQ(bits("0xffffffffffffffff"), ~0ull);
    EXPECT_TRUE(constant_from_text("7U")->is_unsigned);
    EXPECT_TRUE(constant_from_text("18446744073709551615")->is_unsigned);
    EXPECT_FALSE(constant_from_text("9223372036854775807")->is_unsigned);
}

TEST(Literal, reals_come_as_patterns_and_in_decimal) {
    EXPECT_EQ(constant_from_text("0f3F800000")->real(), 1.0);
    EXPECT_TRUE(constant_from_text("0F3f800000")->is_f32);
    EXPECT_EQ(constant_from_text("0d3FF8000000000000")->real(), 1.5);
    EXPECT_EQ(constant_from_text("2.5e-1")->real(), 0.25);
    EXPECT_EQ(constant_from_text("1.")->real(), 1.0);
    EXPECT_EQ(bits("0f7FC00001"), 0x7fc00001u);
}

TEST(Literal, what_is_no_number_or_too_large_is_nothing) {
    for (const auto* text :
         {"", "0x", "0xg", "08", "12a", "0f3F80000", "0d3FF80000000000001", "0b2", "18446744073709551616", "1.2.3", "1e", "5UU"}) {
        EXPECT_FALSE(constant_from_text(text)) << text;
    }
}

} // namespace
} // namespace apod::ptx
