#include "ptx/types.hpp"

#include <gtest/gtest.h>

namespace apod::ptx {
namespace {

TEST(Types, every_type_is_found_by_its_name) {
    for (int i = 1; i <= static_cast<int>(Type::surfref); ++i) {
        const auto type = static_cast<Type>(i);
        EXPECT_EQ(type_from_name(type_name(type)), type) << type_name(type);
        EXPECT_GT(type_bits(type), 0u);
    }
    EXPECT_FALSE(type_from_name(""));
    EXPECT_FALSE(type_from_name("u33"));
}

TEST(Types, a_type_belongs_to_one_family_at_most) {
    for (int i = 0; i <= static_cast<int>(Type::surfref); ++i) {
        const auto type = static_cast<Type>(i);
        EXPECT_LE(int{is_signed_integer(type)} + int{is_unsigned_integer(type)} + int{is_bits(type)} + int{is_float(type)}, 1);
    }
    EXPECT_TRUE(is_float(Type::bf16x2));
    EXPECT_EQ(type_bits(Type::f16x2), 32u);
    EXPECT_EQ(space_name(Space::const_), "const");
}

} // namespace
} // namespace apod::ptx
