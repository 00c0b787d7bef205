// Which tile each kernel of the library has, for the kernels themselves and for those who launch them.
#pragma once

namespace apod::transposing {

struct Design {
    int word;    // bytes of an access (cells.cuh), or what rows of the output are aligned to (lines.cuh)
    int columns; // of a tile: cells (cells.cuh) or elements
    int rows;
    int threads;
    int hint; // how memory is asked (pieces.cuh)
};

// Rows at multiples of 16 bytes, large matrices. (Of elements of 16 bytes: at multiples of 32.)
constexpr Design cells_design(int bytes) {
    switch (bytes) {
    case 1: return {8, 32, 16, 256, 0};
    case 8: return {16, 16, 16, 256, 3};
    case 16: return {16, 32, 32, 512, 0};
    default: return {16, 16, 16, 128, 3};
    }
}

// In bands of how many (2^) rows of tiles the blocks come (pieces.cuh): all of them, down the columns of tiles, so that what is written is
// in one piece. Very large matrices of 16-byte elements have so few tiles of a row on their way at once that it is worth less.
constexpr int cells_shift(int bytes, long long elements) { return bytes == 16 && elements > 20'000'000 ? 5 : 20; }
// Lines: within bands of 16384 rows, so that what a tile asks for on behalf of the next one beside it is still in L2 then. Few columns:
// along the rows, for the same reason.
constexpr int lines_shift(int bytes, long long columns) { return bytes == 1 || columns <= 64 ? 0 : bytes <= 2 ? 7 : bytes < 16 ? 8 : 9; }

// The same for small ones, where there are few tiles for the many multiprocessors, and little to do between start and end.
constexpr int bytes_of_small = 9'000'000;
constexpr int bytes_of_small_cells(int bytes) { return bytes == 16 ? 17'000'000 : bytes_of_small; }
constexpr Design small_cells_design(int bytes) {
    switch (bytes) {
    case 1: return {4, 16, 16, 256, 0};
    case 2: return {8, 16, 16, 256, 0};
    case 4: return {8, 16, 16, 256, 0};
    case 8: return {16, 16, 8, 128, 0};
    default: return {16, 16, 16, 128, 0};
    }
}

// Rows that begin anywhere, large matrices of few columns of 1 and 2 bytes (strips.cuh).
struct StripsDesign {
    int threads; // as many columns are loaded, a piece of 16 bytes more than are moved
    int blocks;  // on a multiprocessor
};
constexpr StripsDesign strips_design{64, 16};
constexpr int strip_width(int bytes) { return strips_design.threads - 16 / bytes; }
constexpr int strips_steps = 4;

// Rows that begin anywhere, large and small matrices. The word is what each row of the output is aligned to.
constexpr Design lines_design(int bytes) {
    switch (bytes) {
    case 1: return {32, 128, 64, 256, 4};
    case 2: return {32, 64, 128, 256, 4};
    case 4: return {32, 64, 64, 256, 4};
    case 8: return {32, 32, 64, 512, 4};
    default: return {32, 32, 32, 512, 4};
    }
}
constexpr Design small_lines_design(int bytes) {
    switch (bytes) {
    case 1: return {4, 64, 32, 128, 4};
    case 2: return {32, 32, 32, 128, 4};
    case 4: return {4, 32, 64, 256, 4};
    case 8: return {32, 16, 64, 256, 4};
    default: return {16, 16, 32, 256, 4};
    }
}

// Matrices with at most so many columns, or rows, and what a block of theirs reads.
constexpr int most_narrow = 16;
constexpr int most_narrow_columns(int bytes) { return bytes <= 2 ? 60 : most_narrow; }
constexpr int least_long = 256;
constexpr int narrow_threads = 256;
constexpr int narrow_bytes = 16384;

// In place, rows at multiples of 16 bytes: square tiles, two of them in shared memory.
constexpr Design in_place_design(int bytes) { return bytes <= 2 ? Design{16, 8, 8, 64, 0} : Design{16, 16, 16, 256, 0}; }

// In place, rows that begin anywhere: element by element; large ones of 1 and 2 bytes by pieces (swaps.cuh, whose tiles these are).
constexpr Design plain_in_place_design(int bytes) {
    switch (bytes) {
    case 4: return {4, 64, 64, 512, 0};
    case 16: return {16, 32, 32, 512, 0};
    default: return {bytes, 32, 32, 256, 0};
    }
}
constexpr Design swaps_design(int bytes) { return {16, 112 / bytes, 112 / bytes, 256 / bytes, 0}; }
constexpr int least_swapped = 3000; // rows

} // namespace apod::transposing
