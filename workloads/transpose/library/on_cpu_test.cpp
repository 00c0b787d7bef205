// The transpose on the CPU against the obvious loop.
#include "apod/transpose.hpp"
#include "workloads/transpose/library/testing.hpp"

#include <gtest/gtest.h>

namespace apod::transposing {

namespace {

void expect_right(const Transpose& what, std::size_t in_first, std::size_t out_first, unsigned threads) {
    Matrices host(what, in_first, out_first);
    std::vector<std::byte> out = host.out;
    const TransposeStatus status = transpose_on_cpu(out.data() + out_first, host.in.data() + in_first, what, threads);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_TRUE(out == host.expected()) << describe(what);
}

} // namespace

TEST(TransposeOnCpu, EverySizeAndShape) {
    for (const int bytes : element_sizes) {
        for (const auto& [rows, columns] : shapes) expect_right({.rows = rows, .columns = columns, .element_bytes = bytes}, 0, 0, 2);
        expect_right({.rows = 700, .columns = 901, .element_bytes = bytes}, 0, 0, 0);
        expect_right({.rows = 33, .columns = 65, .element_bytes = bytes, .in_pitch = 70, .out_pitch = 35, .batches = 3}, 3, 5, 1);
        expect_right({.rows = 3, .columns = 5, .element_bytes = bytes, .batches = 200, .in_stride = 16, .out_stride = 31}, 0, 0, 3);
    }
}

TEST(TransposeOnCpu, TheSameInputForAllOrFromTheEnd) {
    Transpose what{.rows = 5, .columns = 7, .element_bytes = 2, .batches = 4, .in_stride = 35, .out_stride = -40};
    Matrices host(what, 0, 3 * 40 * 2);
    std::vector<std::byte> out = host.out;
    ASSERT_TRUE(transpose_on_cpu(out.data() + 3 * 40 * 2, host.in.data(), what).ok());
    EXPECT_TRUE(out == host.expected());
}

TEST(TransposeOnCpu, InPlace) {
    for (const int bytes : element_sizes) {
        for (const std::int64_t n : {1, 2, 31, 64, 65, 200}) {
            const Transpose what{.rows = n, .columns = n, .element_bytes = bytes, .in_pitch = n + 3, .out_pitch = n + 3, .batches = 2};
            Matrices host(what, 0, 0);
            host.out = host.in;
            std::vector<std::byte> matrix = host.in;
            ASSERT_TRUE(transpose_on_cpu(matrix.data(), matrix.data(), what, 3).ok());
            EXPECT_TRUE(matrix == host.expected()) << describe(what);
        }
    }
}

TEST(TransposeOnCpu, OfTypesAndOfNothing) {
    const std::vector<std::pair<float, float>> in{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}};
    std::vector<std::pair<float, float>> out(6);
    ASSERT_TRUE(transpose_on_cpu(out.data(), in.data(), 2, 3).ok());
    EXPECT_EQ(out, (std::vector<std::pair<float, float>>{{1, 2}, {7, 8}, {3, 4}, {9, 10}, {5, 6}, {11, 12}}));
    EXPECT_TRUE(transpose_on_cpu(static_cast<char*>(nullptr), static_cast<const char*>(nullptr), 0, 3).ok());
    EXPECT_EQ(transpose_on_cpu(static_cast<char*>(nullptr), static_cast<const char*>(nullptr), 1, 3).message(),
              "transpose: out is a null pointer");
}

} // namespace apod::transposing
