#include "workloads/transpose/library/problem.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace apod::transposing {

namespace {

std::vector<std::uint64_t> memory(4096);
void* const out = memory.data();
const void* const in = memory.data() + 2048;

std::string words(Transpose what, const void* to = out, const void* from = in) { return complete(what, to, from).message(); }

} // namespace

TEST(TransposeProblem, WhatIsLeftOpenIsAPackedMatrix) {
    Transpose what{.rows = 3, .columns = 5, .batches = 2};
    ASSERT_TRUE(complete(what, out, in).ok());
    EXPECT_EQ(what.in_pitch, 5);
    EXPECT_EQ(what.out_pitch, 3);
    EXPECT_EQ(what.in_stride, 15);
    EXPECT_EQ(what.out_stride, 15);
    Transpose pitched{.rows = 3, .columns = 5, .in_pitch = 8, .out_pitch = 4, .batches = 2};
    ASSERT_TRUE(complete(pitched, out, in).ok());
    EXPECT_EQ(pitched.in_stride, 24);
    EXPECT_EQ(pitched.out_stride, 20);
}

TEST(TransposeProblem, WhatCannotBeSaysWhatAndWhy) {
    EXPECT_EQ(words({.rows = 2, .columns = 2, .element_bytes = 3}), "transpose: element_bytes is 3: elements have 1, 2, 4, 8 or 16 bytes");
    EXPECT_EQ(words({.rows = -1, .columns = 2}), "transpose: sizes are below zero: -1 rows, 2 columns, 1 batches");
    EXPECT_EQ(words({.rows = 2, .columns = 5, .in_pitch = 4}),
              "transpose: in_pitch is 4, but a row of the input has 5 elements: pitches count elements, from one row to the next");
    EXPECT_EQ(words({.rows = 5, .columns = 2, .out_pitch = 4}),
              "transpose: out_pitch is 4, but a row of the output has 5 elements, as many as the input has rows");
    EXPECT_EQ(words({.rows = 2, .columns = 2}, nullptr), "transpose: out is a null pointer");
    EXPECT_EQ(words({.rows = 2, .columns = 2}, out, nullptr), "transpose: in is a null pointer");
}

TEST(TransposeProblem, NothingToDoNeedsNoMemory) {
    for (Transpose what :
         {Transpose{.rows = 0, .columns = 5}, Transpose{.rows = 5, .columns = 0}, Transpose{.rows = 5, .columns = 5, .batches = 0}}) {
        EXPECT_TRUE(complete(what, nullptr, nullptr).ok());
        EXPECT_TRUE(is_empty(what));
    }
}

TEST(TransposeProblem, SizesBeyond63BitsAreNoSizes) {
    const std::int64_t half = std::int64_t{1} << 32;
    EXPECT_EQ(words({.rows = half, .columns = half}), "transpose: sizes beyond 63 bits: 4294967296 x 4294967296");
    EXPECT_EQ(words({.rows = half, .columns = half / 4, .element_bytes = 16}), "transpose: sizes beyond 63 bits: 4294967296 x 1073741824");
    EXPECT_NE(words({.rows = 4, .columns = 4, .batches = half, .in_stride = half * (half / 4)}), "");
    EXPECT_EQ(words({.rows = half, .columns = 2}, reinterpret_cast<void*>(std::uintptr_t{1} << 44)), "");
}

TEST(TransposeProblem, InPlaceIsForSquaresOfOnePitch) {
    EXPECT_EQ(words({.rows = 4, .columns = 4}, out, out), "");
    EXPECT_EQ(words({.rows = 4, .columns = 4, .in_pitch = 6, .out_pitch = 6, .batches = 3}, out, out), "");
    EXPECT_EQ(words({.rows = 1, .columns = 1, .in_pitch = 6}, out, out), "");
    const std::string rule =
        "transpose: in place (out == in) works for square matrices with the same pitch and stride in and out; this is ";
    EXPECT_EQ(words({.rows = 4, .columns = 5}, out, out), rule + "4 x 5, pitches 5 and 4");
    EXPECT_EQ(words({.rows = 4, .columns = 4, .in_pitch = 6}, out, out), rule + "4 x 4, pitches 6 and 4");
    EXPECT_NE(words({.rows = 4, .columns = 4, .batches = 2, .in_stride = 20}, out, out), "");
}

TEST(TransposeProblem, OverlapsAreSeen) {
    const auto* const bytes = static_cast<const std::byte*>(in);
    EXPECT_EQ(words({.rows = 4, .columns = 6}, bytes + 96, bytes), ""); // directly behind
    EXPECT_EQ(words({.rows = 4, .columns = 6}, bytes, bytes + 96), "");
    EXPECT_EQ(words({.rows = 4, .columns = 6}, bytes + 92, bytes),
              "transpose: the output begins 92 bytes from the input and overlaps it; give it memory of its own, or the same address for a "
              "square matrix in place");
    EXPECT_NE(words({.rows = 4, .columns = 6}, bytes, bytes + 92), "");
    // Side by side in the rows of a larger matrix.
    EXPECT_EQ(words({.rows = 4, .columns = 4, .in_pitch = 8, .out_pitch = 8}, bytes + 16, bytes), "");
    EXPECT_EQ(words({.rows = 4, .columns = 4, .in_pitch = 8, .out_pitch = 8}, bytes, bytes + 16), "");
    EXPECT_NE(words({.rows = 4, .columns = 4, .in_pitch = 8, .out_pitch = 8}, bytes + 12, bytes), "");
    EXPECT_NE(words({.rows = 4, .columns = 4, .in_pitch = 8, .out_pitch = 8}, bytes + 20, bytes), "");
}

} // namespace apod::transposing
