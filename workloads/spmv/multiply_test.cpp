#include "apod/spmv.hpp"
#include "workloads/spmv/generate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace apod::spmv {
namespace {

double number(double value) { return value; }
double number(Half value) { return to_float(value); }
template<class Vector> Vector made(double value) { return static_cast<Vector>(value); }
template<> Half made<Half>(double value) { return to_half(value); }

const std::vector<Recipe>& small_recipes() {
    static const std::vector<Recipe> recipes = {
        {Kind::diagonal, 1000, 900},
        {Kind::banded, 500, 500, 1, 7},
        {Kind::stencil5, 400, 400, 1, 1, 20},
        {Kind::stencil7, 512, 512, 1, 1, 8},
        {Kind::stencil27, 343, 343, 1, 1, 7},
        {Kind::uniform, 1000, 3000, 17},
        {Kind::power_law, 2000, 2000, 2, 1500, 1, 3},
        {Kind::block, 400, 800, 3, 4},
        {Kind::mostly_empty, 3000, 100, 10, 5},
        {Kind::short_rows, 3000, 5000, 4},
        {Kind::dense_row, 300, 4000, 2},
        {Kind::uniform, 1, 5000, 5000},
        {Kind::uniform, 5000, 1, 1},
    };
    return recipes;
}

template<class Types> class Multiply : public ::testing::Test {};
template<class M, class I, class V> struct Types {
    using Matrix = M;
    using Index = I;
    using Vector = V;
};
using Combinations =
    ::testing::Types<Types<float, std::int32_t, float>, Types<float, std::int64_t, float>, Types<double, std::int32_t, double>,
                     Types<double, std::int64_t, double>, Types<Half, std::int32_t, Half>, Types<Half, std::int64_t, Half>,
                     Types<float, std::int32_t, double>, Types<float, std::int64_t, double>>;
TYPED_TEST_SUITE(Multiply, Combinations, );

TYPED_TEST(Multiply, every_kind_of_matrix_lies_within_the_bound) {
    using Vector = typename TypeParam::Vector;
    for (const Recipe& recipe : small_recipes()) {
        SCOPED_TRACE(kind_names()[static_cast<std::size_t>(recipe.kind)]);
        const auto a = generate<typename TypeParam::Matrix, typename TypeParam::Index>(recipe);
        validate(a);
        std::vector<Vector> x(static_cast<std::size_t>(a.columns));
        std::vector<Vector> y(static_cast<std::size_t>(a.rows));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = made<Vector>(std::sin(static_cast<double>(i)));
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = made<Vector>(std::cos(static_cast<double>(i)));
        for (const auto& [alpha, beta] : {std::pair{1.0, 0.0}, {-0.75, 2.5}, {0.0, 1.0}, {0.0, 0.0}}) {
            const Reference right = reference<typename TypeParam::Matrix, typename TypeParam::Index, Vector>(a, alpha, x, beta, y);
            std::vector<Vector> result = y;
            multiply<typename TypeParam::Matrix, typename TypeParam::Index, Vector>(a, alpha, x, beta, result, 3);
            std::vector<Vector> alone = y;
            multiply<typename TypeParam::Matrix, typename TypeParam::Index, Vector>(a, alpha, x, beta, alone, 1);
            EXPECT_EQ(result, alone);
            for (std::size_t i = 0; i < y.size(); ++i) {
                ASSERT_LE(std::abs(static_cast<double>(number(result[i]) - right.y[i])), right.bound[i]) << "row " << i;
            }
        }
    }
}

TEST(MultiplyEdges, a_bound_is_small_enough_to_find_one_wrong_entry) {
    const auto a = generate<double, std::int32_t>({Kind::uniform, 100, 1000, 50});
    std::vector<double> x(1000, 1.0);
    const std::vector<double> y(100);
    const Reference right = reference<double, std::int32_t, double>(a, 1, x, 0, y);
    for (const double bound : right.bound) EXPECT_LT(bound, 1e-12);
}

TEST(MultiplyEdges, nan_in_y_does_not_matter_when_beta_is_zero) {
    const auto a = generate<float, std::int32_t>({Kind::mostly_empty, 50, 50, 3, 2});
    const std::vector<float> x(50, 1.0F);
    std::vector<float> y(50, std::numeric_limits<float>::quiet_NaN());
    multiply<float, std::int32_t, float>(a, 1, x, 0, y);
    for (const float value : y) EXPECT_FALSE(std::isnan(value));
    y.assign(50, std::numeric_limits<float>::quiet_NaN());
    multiply<float, std::int32_t, float>(a, 1, x, 1, y);
    for (const float value : y) EXPECT_TRUE(std::isnan(value));
}

TEST(MultiplyEdges, a_matrix_without_rows_columns_or_entries_works) {
    Csr<float, std::int32_t> empty;
    std::vector<float> none;
    multiply<float, std::int32_t, float>(empty, 1, none, 0, none);
    Csr<float, std::int32_t> blank{3, 0, {0, 0, 0, 0}, {}, {}};
    std::vector<float> y = {1, 2, 3};
    multiply<float, std::int32_t, float>(blank, 1, none, 2, y);
    EXPECT_EQ(y, (std::vector<float>{2, 4, 6}));
}

TEST(MultiplyEdges, sizes_that_differ_are_an_error) {
    const auto a = generate<float, std::int32_t>({Kind::diagonal, 4, 4});
    const std::vector<float> x(3);
    std::vector<float> y(4);
    EXPECT_THROW((multiply<float, std::int32_t, float>(a, 1, x, 0, y)), Error);
}

TEST(ToCsr, entries_in_any_order_become_rows_with_duplicates_summed) {
    const Coo<double, std::int64_t> coo{3, 4, {2, 0, 2, 0, 2}, {1, 3, 0, 0, 1}, {1, 2, 3, 4, 5}};
    const auto a = to_csr<float, std::int32_t>(coo);
    EXPECT_EQ(a.row_offsets, (std::vector<std::int32_t>{0, 2, 2, 4}));
    EXPECT_EQ(a.column_indices, (std::vector<std::int32_t>{0, 3, 0, 1}));
    EXPECT_EQ(a.values, (std::vector<float>{4, 2, 3, 6}));
    validate(a);
}

TEST(ToCsr, what_does_not_fit_is_an_error) {
    EXPECT_THROW((void)(to_csr<float, std::int32_t>({3'000'000'000, 1, {}, {}, {}})), Error);
    EXPECT_THROW((void)(to_csr<float, std::int32_t>({1, 3'000'000'000, {}, {}, {}})), Error);
    EXPECT_THROW((void)(to_csr<float, std::int32_t>({2, 2, {2}, {0}, {1}})), Error);
    EXPECT_THROW((void)(to_csr<float, std::int32_t>({2, 2, {0}, {-1}, {1}})), Error);
    EXPECT_THROW((void)(to_csr<float, std::int32_t>({2, 2, {0}, {}, {1}})), Error);
    EXPECT_EQ((to_csr<float, std::int64_t>({1, 3'000'000'000, {0}, {2'999'999'999}, {1}}).column_indices[0]), 2'999'999'999);
}

TEST(Validate, finds_what_is_wrong_with_a_matrix) {
    EXPECT_THROW(validate(Csr<float, std::int32_t>{2, 2, {0, 1}, {0}, {1}}), Error);
    EXPECT_THROW(validate(Csr<float, std::int32_t>{2, 2, {0, 2, 1}, {0}, {1}}), Error);
    EXPECT_THROW(validate(Csr<float, std::int32_t>{2, 2, {0, 1, 1}, {2}, {1}}), Error);
    EXPECT_THROW(validate(Csr<float, std::int32_t>{2, 2, {0, 1, 2}, {0}, {1}}), Error);
    EXPECT_THROW(validate(Csr<float, std::int32_t>{2, 2, {1, 1, 1}, {0}, {1}}), Error);
}

TEST(HalfNumbers, every_half_survives_the_way_through_float) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const Half half{static_cast<std::uint16_t>(bits)};
        if (std::isnan(to_float(half))) continue;
        ASSERT_EQ(to_half(to_float(half)).bits, half.bits);
    }
    EXPECT_EQ(to_half(1 + 0x1p-11).bits, to_half(1).bits);              // a tie goes to even
    EXPECT_EQ(to_half(1 + 3 * 0x1p-11).bits, to_half(1 + 0x1p-9).bits); // and here that is up
    EXPECT_EQ(to_half(65519.99).bits, 0x7bff);
    EXPECT_EQ(to_half(65520).bits, 0x7c00);
    EXPECT_EQ(to_half(0x1p-14 - 0x1p-26).bits, 0x0400);
}

TEST(Recipes, columns_ascend_within_the_matrix_and_do_not_repeat) {
    for (const Recipe& recipe : small_recipes()) {
        SCOPED_TRACE(kind_names()[static_cast<std::size_t>(recipe.kind)]);
        for (std::int64_t row = 0; row < recipe.rows; ++row) {
            std::int64_t before = -1;
            for (std::int64_t k = 0; k < row_length(recipe, row); ++k) {
                const std::int64_t column = column_of(recipe, row, k);
                ASSERT_GT(column, before);
                ASSERT_LT(column, recipe.columns);
                before = column;
            }
        }
    }
}

TEST(Recipes, a_wrong_one_is_refused) {
    EXPECT_THROW((void)(generate<float, std::int32_t>({Kind::uniform, 0, 5, 1})), Error);
    EXPECT_THROW((void)(generate<float, std::int32_t>({Kind::stencil7, 100, 100, 1, 1, 10})), Error);
    EXPECT_THROW((void)(generate<float, std::int32_t>({Kind::block, 10, 12, 1, 4})), Error);
    EXPECT_FALSE(kind_from_name("circulant"));
    EXPECT_EQ(kind_from_name("short_rows"), Kind::short_rows);
}

} // namespace
} // namespace apod::spmv
