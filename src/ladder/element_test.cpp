#include "ladder/element.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace apod::ladder {
namespace {

std::array<std::byte, 8> bytes_of(ElementType type, double value) {
    std::array<std::byte, 8> bytes{};
    store_real(type, value, bytes.data());
    return bytes;
}

std::uint64_t distance(ElementType type, double a, double b) {
    return distance_in_ulp(type, bytes_of(type, a).data(), bytes_of(type, b).data());
}

TEST(Element, every_half_survives_the_way_through_double) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const double real = real_from_half(half);
        if (std::isnan(real)) continue;
        ASSERT_EQ(half_from_real(real), half);
    }
}

TEST(Element, every_bfloat_survives_the_way_through_double) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto bfloat = static_cast<std::uint16_t>(bits);
        const double real = real_from_bfloat(bfloat);
        if (std::isnan(real)) continue;
        ASSERT_EQ(bfloat_from_real(real), bfloat);
    }
}

TEST(Element, halves_round_to_nearest_even) {
    EXPECT_EQ(half_from_real(1 + 0x1p-11), 0x3c00);     // halfway, down to even
    EXPECT_EQ(half_from_real(1 + 3 * 0x1p-11), 0x3c02); // halfway, up to even
    EXPECT_EQ(half_from_real(65519.99), 0x7bff);        // the largest
    EXPECT_EQ(half_from_real(65520), 0x7c00);           // infinity
    EXPECT_EQ(half_from_real(0x1p-25), 0x0000);         // halfway to the smallest
    EXPECT_EQ(half_from_real(0x1.8p-25), 0x0001);
    EXPECT_EQ(half_from_real(-0.0), 0x8000);
    EXPECT_TRUE(std::isnan(real_from_half(half_from_real(std::nan("")))));
}

TEST(Element, integers_wrap_and_are_printed_whole) {
    std::array<std::byte, 8> bytes{};
    store_integer(ElementType::u8, 257, bytes.data());
    EXPECT_EQ(element_as_text(ElementType::u8, bytes.data()), "1");
    store_integer(ElementType::s16, -2, bytes.data());
    EXPECT_EQ(element_as_text(ElementType::s16, bytes.data()), "-2");
    store_integer(ElementType::u64, -1, bytes.data());
    EXPECT_EQ(element_as_text(ElementType::u64, bytes.data()), "18446744073709551615");
    EXPECT_EQ(element_as_text(ElementType::f32, bytes_of(ElementType::f32, 0.1).data()), "0.1");
}

TEST(Element, distances_in_ulp) {
    EXPECT_EQ(distance(ElementType::f32, 1, 1), 0u);
    EXPECT_EQ(distance(ElementType::f32, 1, std::nextafter(1.0f, 2.0f)), 1u);
    EXPECT_EQ(distance(ElementType::f32, 0.0, -0.0), 0u);
    EXPECT_EQ(distance(ElementType::f64, std::numeric_limits<double>::denorm_min(), -std::numeric_limits<double>::denorm_min()), 2u);
    EXPECT_EQ(distance(ElementType::f32, NAN, NAN), 0u);
    EXPECT_EQ(distance(ElementType::f32, NAN, 1), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(distance(ElementType::s8, -128, 127), 255u);
    EXPECT_EQ(distance(ElementType::u64, 3, 10), 7u);
}

} // namespace
} // namespace apod::ladder
