#include "workloads/transpose/library/choose.hpp"
#include "workloads/transpose/library/problem.hpp"
#include "workloads/transpose/library/testing.hpp"

#include <gtest/gtest.h>

namespace apod::transposing {

namespace {

constexpr std::uintptr_t out = std::uintptr_t{1} << 44;
constexpr std::uintptr_t in = std::uintptr_t{1} << 46;

Choice chosen(Transpose what, std::uintptr_t to = out, std::uintptr_t from = in) {
    EXPECT_TRUE(complete(what, reinterpret_cast<const void*>(to), reinterpret_cast<const void*>(from)).ok());
    Choice choice;
    EXPECT_TRUE(choose(what, to, from, choice)) << describe(what);
    return choice;
}

} // namespace

TEST(TransposeChoice, WordsWhereAllRowsAreAlignedElseLines) {
    EXPECT_STREQ(chosen({.rows = 4096, .columns = 4096}).kernel, "transpose_cells");
    EXPECT_STREQ(chosen({.rows = 4096, .columns = 4095}).kernel, "transpose_lines");
    EXPECT_STREQ(chosen({.rows = 4095, .columns = 4096}).kernel, "transpose_lines");
    EXPECT_STREQ(chosen({.rows = 4095, .columns = 4095, .in_pitch = 4096, .out_pitch = 4096}).kernel, "transpose_cells");
    EXPECT_STREQ(chosen({.rows = 4096, .columns = 4096}, out + 4).kernel, "transpose_lines");
    EXPECT_STREQ(chosen({.rows = 4096, .columns = 4096}, out, in + 8).kernel, "transpose_lines");
    EXPECT_STREQ(chosen({.rows = 4096, .columns = 4096, .batches = 2, .in_stride = 4096 * 4096 + 1}).kernel, "transpose_lines");
    EXPECT_STREQ(chosen({.rows = 4096, .columns = 4096, .batches = 1, .in_stride = 4096 * 4096 + 1}).kernel, "transpose_cells");
    EXPECT_STREQ(chosen({.rows = 4096, .columns = 4094, .element_bytes = 16}).kernel, "transpose_cells");
    EXPECT_STREQ(chosen({.rows = 4095, .columns = 4094, .element_bytes = 16}).kernel, "transpose_lines"); // half a sector
}

TEST(TransposeChoice, SmallMatricesHaveAKernelOfTheirOwn) {
    EXPECT_STREQ(chosen({.rows = 1024, .columns = 1024}).kernel, "transpose_small_cells");
    EXPECT_STREQ(chosen({.rows = 1021, .columns = 1021}).kernel, "transpose_small_lines");
    EXPECT_STREQ(chosen({.rows = 1024, .columns = 1024, .batches = 16}).kernel, "transpose_cells");
    EXPECT_STREQ(chosen({.rows = 16, .columns = 16, .batches = 16}).kernel, "transpose_small_cells");
    EXPECT_STREQ(chosen({.rows = 1024, .columns = 1024, .element_bytes = 16}).kernel, "transpose_small_cells");
    EXPECT_STREQ(chosen({.rows = 1021, .columns = 1021, .element_bytes = 16}).kernel, "transpose_lines");
    // Whose offsets need more than 31 bits.
    EXPECT_STREQ(chosen({.rows = 64, .columns = 64, .in_pitch = std::int64_t{1} << 26}).kernel, "transpose_cells");
    EXPECT_STREQ(chosen({.rows = 64, .columns = 64, .out_pitch = std::int64_t{1} << 26}).kernel, "transpose_cells");
    EXPECT_STREQ(chosen({.rows = 2000000, .columns = 4, .element_bytes = 16, .in_pitch = 6}).kernel, "transpose_cells");
}

TEST(TransposeChoice, NarrowMatricesInOnePieceHaveKernelsOfTheirOwn) {
    EXPECT_STREQ(chosen({.rows = 1000, .columns = 16}).kernel, "transpose_few_columns");
    EXPECT_STREQ(chosen({.rows = 3, .columns = 1000}).kernel, "transpose_few_rows");
    EXPECT_STREQ(chosen({.rows = 1000, .columns = 17}).kernel, "transpose_small_lines");
    EXPECT_STREQ(chosen({.rows = 1000, .columns = 60, .element_bytes = 1}).kernel, "transpose_few_columns");
    EXPECT_STREQ(chosen({.rows = 3, .columns = 1000, .out_pitch = 4}).kernel, "transpose_small_cells");
    EXPECT_STREQ(chosen({.rows = 1000, .columns = 3, .in_pitch = 5}).kernel, "transpose_small_lines");
    EXPECT_STREQ(chosen({.rows = 100, .columns = 16}).kernel, "transpose_small_cells");
}

TEST(TransposeChoice, LargeMatricesOfFewSmallElementsARowAreMovedInStrips) {
    EXPECT_STREQ(chosen({.rows = 1000003, .columns = 37, .element_bytes = 1}).kernel, "transpose_strips");
    EXPECT_STREQ(chosen({.rows = 1000003, .columns = 48, .element_bytes = 1}).kernel, "transpose_strips");
    EXPECT_STREQ(chosen({.rows = 1000003, .columns = 49, .element_bytes = 1}).kernel, "transpose_few_columns");
    EXPECT_STREQ(chosen({.rows = 1000003, .columns = 16, .element_bytes = 1}).kernel, "transpose_few_columns");
    EXPECT_STREQ(chosen({.rows = 1000003, .columns = 37, .element_bytes = 4}).kernel, "transpose_lines");
    const Choice choice = chosen({.rows = 1000003, .columns = 37, .element_bytes = 2, .in_pitch = 41});
    EXPECT_STREQ(choice.kernel, "transpose_strips");
    const int steps = choice.shift >> 8;
    EXPECT_GE(std::int64_t{choice.grid_x} * choice.grid_y * (32 * steps - 16), 1000003); // steps of 32 rows, one of them half
}

TEST(TransposeChoice, OneRowOrColumnWithoutGapsIsACopy) {
    EXPECT_EQ(chosen({.rows = 1, .columns = 100}).form, Form::copy);
    EXPECT_EQ(chosen({.rows = 100, .columns = 1}).form, Form::copy);
    EXPECT_NE(chosen({.rows = 1, .columns = 100, .out_pitch = 2}).form, Form::copy);
    EXPECT_NE(chosen({.rows = 100, .columns = 1, .in_pitch = 3}).form, Form::copy);
    EXPECT_EQ(chosen({.rows = 100, .columns = 1, .out_pitch = 128}).form, Form::copy);
}

TEST(TransposeChoice, InPlaceHasKernelsOfItsOwn) {
    EXPECT_STREQ(chosen({.rows = 4096, .columns = 4096}, in, in).kernel, "transpose_in_place");
    EXPECT_STREQ(chosen({.rows = 4095, .columns = 4095}, in, in).kernel, "transpose_plain_in_place");
    EXPECT_STREQ(chosen({.rows = 4095, .columns = 4095, .element_bytes = 16}, in, in).kernel, "transpose_plain_in_place");
    EXPECT_STREQ(chosen({.rows = 4095, .columns = 4095, .element_bytes = 2}, in, in).kernel, "transpose_swaps");
    EXPECT_STREQ(chosen({.rows = 1021, .columns = 1021, .element_bytes = 1}, in, in).kernel, "transpose_plain_in_place");
}

TEST(TransposeChoice, GridsReachAllTilesWithinWhatAGpuCanLaunch) {
    for (const int bytes : element_sizes) {
        for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{100, 3},
                                            {3, 100},
                                            {1000, 1000},
                                            {4096, 4096},
                                            {std::int64_t{1} << 33, 16},
                                            {16, std::int64_t{1} << 33},
                                            {(std::int64_t{1} << 33) + 5, 3}}) {
            const Choice choice = chosen({.rows = rows, .columns = columns, .element_bytes = bytes});
            EXPECT_LE(choice.grid_x, 0x7fffffffU);
            EXPECT_LE(choice.grid_y, 65535U);
            if (std::min(rows, columns) <= 16 && std::max(rows, columns) >= 256) {
                EXPECT_STREQ(choice.kernel, columns < rows ? "transpose_few_columns" : "transpose_few_rows");
                EXPECT_GE(std::int64_t{choice.grid_x} * choice.shift, std::max(rows, columns));
                continue;
            }
            EXPECT_EQ(choice.grid_x % (1U << choice.shift), 0U);
            EXPECT_GE(std::int64_t{choice.grid_y} << choice.shift, rows / 512);
            EXPECT_GE(choice.grid_x >> choice.shift, columns / 512);
        }
    }
}

TEST(TransposeChoice, WhatNoGridCanHoldIsRefused) {
    Transpose what{.rows = std::int64_t{1} << 41, .columns = std::int64_t{1} << 20};
    what.in_pitch = what.columns;
    what.out_pitch = what.rows;
    Choice choice;
    EXPECT_FALSE(choose(what, out, in, choice));
    EXPECT_FALSE(choose({.rows = 1 << 30, .columns = 1 << 30, .in_pitch = 1 << 30, .out_pitch = 1 << 30}, in, in, choice));
}

} // namespace apod::transposing
