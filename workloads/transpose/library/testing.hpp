// For the tests: matrices in host memory with known contents, and the obvious loop.
#pragma once

#include "apod/transpose.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace apod::transposing {

constexpr std::array element_sizes{1, 2, 4, 8, 16};

// Below, at and above the sizes of cells, words and tiles; long and narrow both ways.
constexpr std::array<std::pair<std::int64_t, std::int64_t>, 12> shapes{
    {{1, 1}, {1, 7}, {9, 1}, {2, 3}, {17, 15}, {64, 64}, {127, 129}, {131, 160}, {144, 272}, {3, 300}, {300, 5}, {259, 130}}};

inline std::string describe(const Transpose& what) {
    const auto number = [](std::int64_t value) { return std::to_string(value); };
    return number(what.rows) + " x " + number(what.columns) + " of " + number(what.element_bytes) + " bytes, pitches " +
           number(what.in_pitch) + " and " + number(what.out_pitch) + ", " + number(what.batches) + " batches, strides " +
           number(what.in_stride) + " and " + number(what.out_stride);
}

// The buffers of a transpose: exactly as long as needed, the matrices beginning at the given bytes. The output holds something else before.
struct Matrices {
    Transpose what;
    std::size_t in_first;
    std::size_t out_first;
    std::vector<std::byte> in;
    std::vector<std::byte> out;

    Matrices(const Transpose& described, std::size_t in_begin, std::size_t out_begin) :
        what(described), in_first(in_begin), out_first(out_begin) {
        if (what.in_pitch == 0) what.in_pitch = what.columns;
        if (what.out_pitch == 0) what.out_pitch = what.rows;
        if (what.in_stride == 0) what.in_stride = what.rows * what.in_pitch;
        if (what.out_stride == 0) what.out_stride = what.columns * what.out_pitch;
        in.resize(in_first + extent(what.rows, what.columns, what.in_pitch, what.in_stride));
        out.resize(out_first + extent(what.columns, what.rows, what.out_pitch, what.out_stride));
        std::uint32_t state = 12345;
        for (std::byte& each : in) each = static_cast<std::byte>((state = state * 1664525 + 1013904223) >> 24);
        for (std::byte& each : out) each = static_cast<std::byte>((state = state * 1664525 + 1013904223) >> 24);
    }

    // What the output should be, gaps included.
    [[nodiscard]] std::vector<std::byte> expected() const {
        std::vector<std::byte> result = out;
        for (std::int64_t batch = 0; batch < what.batches; ++batch) {
            for (std::int64_t y = 0; y < what.rows; ++y) {
                for (std::int64_t x = 0; x < what.columns; ++x) {
                    const std::int64_t to = batch * what.out_stride + x * what.out_pitch + y;
                    const std::int64_t from = batch * what.in_stride + y * what.in_pitch + x;
                    std::memcpy(result.data() + static_cast<std::int64_t>(out_first) + to * what.element_bytes,
                                in.data() + static_cast<std::int64_t>(in_first) + from * what.element_bytes,
                                static_cast<std::size_t>(what.element_bytes));
                }
            }
        }
        return result;
    }

private:
    [[nodiscard]] std::size_t extent(std::int64_t rows, std::int64_t columns, std::int64_t pitch, std::int64_t stride) const {
        if (rows == 0 || columns == 0 || what.batches == 0) return 0;
        const std::int64_t last = std::max<std::int64_t>(0, (what.batches - 1) * stride);
        return static_cast<std::size_t>((last + (rows - 1) * pitch + columns) * what.element_bytes);
    }
};

} // namespace apod::transposing
