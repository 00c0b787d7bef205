// Matrices made by rule: every entry follows from the recipe, its row and its number alone, so that rows can be made in any order, on the
// host and (the functions are constexpr; nvcc's --expt-relaxed-constexpr) on the device. Columns ascend within a row and do not repeat.
#pragma once

#include <cstdint>

namespace apod::spmv {

enum class Kind : std::uint8_t {
    diagonal,
    banded,       // `width` columns to each side of the diagonal
    stencil5,     // 5 points on a grid of side x side
    stencil7,     // 7 points on side^3
    stencil27,    // 27 points on side^3
    uniform,      // `length` entries a row, spread over all columns at random
    power_law,    // lengths of a heavy tail (each doubling half as frequent, from `length` on), and `huge` rows of `width` entries
    block,        // dense blocks of width x width, `length` of them a row of blocks
    mostly_empty, // one row in `length` has `width` entries
    short_rows,   // 1 to `length` entries
    dense_row     // `length` entries a row at random, and one row that is full
};

struct Recipe {
    Kind kind = Kind::uniform;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t length = 1;
    std::int64_t width = 1;
    std::int64_t side = 1;
    std::int64_t huge = 0;
    std::uint64_t seed = 1;
};

// Bits that look random, of two numbers: the finalizer of splitmix64.
constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a * 0x9e3779b97f4a7c15u + b * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// A number below `count` from the bits; count < 2^31.
constexpr std::int64_t below(std::uint64_t bits, std::int64_t count) {
    return static_cast<std::int64_t>(((bits >> 32) * static_cast<std::uint64_t>(count)) >> 32);
}

namespace detail {

constexpr std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
constexpr std::int64_t most(std::int64_t a, std::int64_t b) { return a > b ? a : b; }

// Points of a stencil that lie inside the grid, in ascending order; the `wanted`-th one's column, or their number for wanted < 0.
constexpr std::int64_t stencil_point(const Recipe& recipe, std::int64_t row, std::int64_t wanted) {
    const std::int64_t n = recipe.side;
    const bool flat = recipe.kind == Kind::stencil5;
    const bool full = recipe.kind == Kind::stencil27;
    const std::int64_t x = row % n;
    const std::int64_t y = row / n % n;
    const std::int64_t z = row / (n * n);
    std::int64_t found = 0;
    for (int dz = flat ? 0 : -1; dz <= (flat ? 0 : 1); ++dz) {
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const int steps = (dx != 0 ? 1 : 0) + (dy != 0 ? 1 : 0) + (dz != 0 ? 1 : 0);
                if (!full && steps > 1) continue;
                if (x + dx < 0 || x + dx >= n || y + dy < 0 || y + dy >= n) continue;
                if (!flat && (z + dz < 0 || z + dz >= n)) continue;
                if (found == wanted) return row + (dz * n + dy) * n + dx;
                ++found;
            }
        }
    }
    return found;
}

// The k-th of `count` columns spread over all: one from each of `count` equal stretches.
constexpr std::int64_t spread(const Recipe& recipe, std::int64_t row, std::int64_t k, std::int64_t count) {
    const std::int64_t first = recipe.columns * k / count;
    const std::int64_t next = recipe.columns * (k + 1) / count;
    return first + below(mixed(recipe.seed + static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(k) + 1), next - first);
}

} // namespace detail

// The number of entries of a row.
constexpr std::int64_t row_length(const Recipe& recipe, std::int64_t row) {
    const std::uint64_t bits = mixed(recipe.seed ^ 0x5bd1e995u, static_cast<std::uint64_t>(row));
    switch (recipe.kind) {
    case Kind::diagonal: return row < recipe.columns ? 1 : 0;
    case Kind::banded:
        return detail::most(0, detail::least(recipe.columns - 1, row + recipe.width) - detail::most(0, row - recipe.width) + 1);
    case Kind::stencil5:
    case Kind::stencil7:
    case Kind::stencil27: return detail::stencil_point(recipe, row, -1);
    case Kind::uniform: return detail::least(recipe.length, recipe.columns);
    case Kind::power_law: {
        // Spread over the rows, so that they do not all fall to the same part of the device.
        if (recipe.huge > 0 && row % (recipe.rows / recipe.huge + 1) == recipe.rows / recipe.huge / 2) {
            return detail::least(recipe.width, recipe.columns);
        }
        std::int64_t length = recipe.length + below(bits << 32, recipe.length);
        for (std::uint64_t coins = bits >> 32; (coins & 1) != 0; coins >>= 1) length *= 2;
        return detail::least(detail::least(length, recipe.width), recipe.columns);
    }
    case Kind::block: return detail::least(recipe.length, recipe.columns / recipe.width) * recipe.width;
    case Kind::mostly_empty: return below(bits, recipe.length) == 0 ? detail::least(recipe.width, recipe.columns) : 0;
    case Kind::short_rows: return detail::least(1 + below(bits, recipe.length), recipe.columns);
    case Kind::dense_row: return row == recipe.rows / 2 ? recipe.columns : detail::least(recipe.length, recipe.columns);
    }
    return 0;
}

// The column of entry k < row_length.
constexpr std::int64_t column_of(const Recipe& recipe, std::int64_t row, std::int64_t k) {
    switch (recipe.kind) {
    case Kind::diagonal: return row;
    case Kind::banded: return detail::most(0, row - recipe.width) + k;
    case Kind::stencil5:
    case Kind::stencil7:
    case Kind::stencil27: return detail::stencil_point(recipe, row, k);
    case Kind::block: {
        Recipe blocks = recipe;
        blocks.columns = recipe.columns / recipe.width;
        const std::int64_t count = detail::least(recipe.length, blocks.columns);
        return detail::spread(blocks, row / recipe.width, k / recipe.width, count) * recipe.width + k % recipe.width;
    }
    default: return detail::spread(recipe, row, k, row_length(recipe, row));
    }
}

// In (-1, 1), a multiple of 2^-10: exact in every type, half too.
constexpr double value_of(const Recipe& recipe, std::int64_t row, std::int64_t k) {
    return static_cast<double>(below(mixed(recipe.seed + 7, mixed(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(k))), 2047) -
                               1023) /
           1024;
}

} // namespace apod::spmv
