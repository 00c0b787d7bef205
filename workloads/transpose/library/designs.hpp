// Which tile each kernel of the library has, for the kernels themselves and for those who launch them.
#pragma once

namespace apod::transposing {

struct Design {
    int word;    // bytes of an access
    int columns; // of a tile: cells (cells.cuh), words (shifted.cuh) or elements (plain.cuh)
    int rows;    // of a tile: cells, elements, elements
    int threads;
    int hint; // how memory is asked (pieces.cuh)
};

// Rows at multiples of 16 bytes, large matrices.
constexpr Design cells_design(int bytes) {
    switch (bytes) {
    case 1: return {8, 32, 16, 256, 0};
    case 2: return {16, 16, 16, 256, 0};
    case 16: return {16, 32, 32, 512, 0};
    default: return {16, 16, 16, 256, 3};
    }
}

// In bands of how many (2^) rows of tiles the blocks come (pieces.cuh): all of them, down the columns of tiles, so that what is written is
// in one piece.
constexpr int cells_shift = 20;
constexpr int shifted_shift = 20;

// The same for small ones, where there are few tiles for the many multiprocessors, and little to do between start and end.
constexpr int bytes_of_small = 9'000'000;
constexpr Design small_cells_design(int bytes) {
    switch (bytes) {
    case 1: return {4, 16, 16, 256, 0};
    case 2: return {8, 16, 16, 256, 0};
    case 4: return {16, 8, 8, 64, 0};
    case 8: return {16, 16, 8, 128, 0};
    default: return {16, 16, 16, 128, 0};
    }
}

// Rows that begin anywhere, large and small matrices. (16-byte elements always lie at multiples of 16 bytes.)
constexpr Design shifted_design(int bytes) {
    switch (bytes) {
    case 1: return {16, 8, 128, 256, 0};
    case 2: return {16, 16, 128, 256, 0};
    case 4: return {16, 16, 64, 256, 0};
    default: return {16, 16, 32, 256, 0};
    }
}
constexpr Design small_shifted_design(int bytes) {
    switch (bytes) {
    case 1: return {16, 4, 128, 128, 0};
    case 2: return {16, 8, 64, 128, 0};
    case 4: return {16, 8, 64, 128, 0};
    default: return {16, 16, 16, 128, 0};
    }
}

// Matrices with at most so many columns, or rows, and what a block of theirs reads.
constexpr int most_narrow = 16;
constexpr int least_long = 256;
constexpr int narrow_threads = 256;
constexpr int narrow_bytes = 16384;

// In place, rows at multiples of 16 bytes: square tiles, two of them in shared memory.
constexpr Design in_place_design(int bytes) { return bytes <= 2 ? Design{16, 8, 8, 64, 0} : Design{16, 16, 16, 256, 0}; }

// In place, rows that begin anywhere: element by element.
constexpr Design plain_in_place_design(int bytes) { return {bytes, bytes == 16 ? 16 : 32, bytes == 16 ? 16 : 32, 256, 0}; }

} // namespace apod::transposing
