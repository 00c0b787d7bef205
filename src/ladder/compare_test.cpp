#include "ladder/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace apod::ladder {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

bool right(float expected, float actual, const Tolerance& tolerance) {
    std::byte e[4];
    std::byte a[4];
    store_real(ElementType::f32, expected, e);
    store_real(ElementType::f32, actual, a);
    return is_right(ElementType::f32, e, a, tolerance);
}

TEST(Compare, exact_means_equal_up_to_the_sign_of_zero_and_the_kind_of_nan) {
    EXPECT_TRUE(right(1, 1, {}));
    EXPECT_TRUE(right(0.0f, -0.0f, {}));
    EXPECT_TRUE(right(not_a_number, -not_a_number, {}));
    EXPECT_FALSE(right(1, std::nextafter(1.0f, 2.0f), {}));
    EXPECT_FALSE(right(1, not_a_number, {}));
}

TEST(Compare, the_references_bound_counts_where_it_is_asked_for_and_known) {
    std::byte e[4];
    std::byte a[4];
    store_real(ElementType::f32, 1, e);
    store_real(ElementType::f32, 1.5, a);
    Tolerance tolerance;
    EXPECT_FALSE(is_right(ElementType::f32, e, a, tolerance, 1.0));
    tolerance.bound = 1;
    EXPECT_TRUE(is_right(ElementType::f32, e, a, tolerance, 0.5));
    EXPECT_FALSE(is_right(ElementType::f32, e, a, tolerance, 0.25));
    EXPECT_FALSE(is_right(ElementType::f32, e, a, tolerance));
    tolerance.bound = 2;
    EXPECT_TRUE(is_right(ElementType::f32, e, a, tolerance, 0.25));
}

TEST(Compare, any_limit_that_holds_will_do) {
    EXPECT_TRUE(right(1, std::nextafter(1.0f, 2.0f), {.ulp = 1}));
    EXPECT_FALSE(right(1, 1.001f, {.ulp = 1}));
    EXPECT_TRUE(right(1, 1.001f, {.ulp = 1, .relative = 0.01}));
    EXPECT_FALSE(right(0, 1e-9f, {.relative = 0.01}));
    EXPECT_TRUE(right(0, 1e-9f, {.relative = 0.01, .absolute = 1e-8}));
}

TEST(Compare, no_tolerance_covers_infinity_or_nan) {
    const Tolerance wide = {.ulp = 1000, .relative = 10, .absolute = 1e30};
    EXPECT_FALSE(right(infinity, std::numeric_limits<float>::max(), wide));
    EXPECT_FALSE(right(1, infinity, wide));
    EXPECT_FALSE(right(1, not_a_number, wide));
    EXPECT_FALSE(right(not_a_number, 1, wide));
    EXPECT_FALSE(right(infinity, -infinity, wide));
    EXPECT_TRUE(right(infinity, infinity, wide));
}

TEST(Compare, the_first_difference_has_its_coordinates_across_pieces) {
    HostBuffer expected{"out", ElementType::u16, Role::out, {2, 3, 4}, std::vector<std::byte>(48)};
    std::vector<std::byte> actual = expected.bytes;
    actual[2 * 17] = std::byte{9};
    actual[2 * 20] = std::byte{9};
    Comparison comparison(expected, {});
    comparison.add(std::span(actual).first(30));
    comparison.add(std::span(actual).subspan(30));
    const auto mismatch = comparison.mismatch();
    ASSERT_TRUE(mismatch);
    EXPECT_EQ(mismatch->index, 17u);
    EXPECT_EQ(mismatch->coordinates, (std::vector<std::uint64_t>{1, 1, 1}));
    EXPECT_EQ(mismatch->expected, "0");
    EXPECT_EQ(mismatch->actual, "9");
    EXPECT_EQ(mismatch->differing, 2u);
    EXPECT_EQ(mismatch->compared, 24u);
}

} // namespace
} // namespace apod::ladder
