// The transpose in place by elements: padded tiles. For elements of less than 4 bytes whose rows begin anywhere: words there lie in two
// tiles.
#pragma once

#include "pieces.cuh"

namespace apod::transposing {

template<int bytes, int size, int threads, int hint = keep> struct Plain {
    using Element = Piece<bytes>;
    // A column of the tile meets every bank once: a row takes an odd number of banks (of 8-byte and 16-byte pieces for such elements).
    static constexpr int row = size + (bytes < 4 ? 4 / bytes : 1);

    static __device__ void take(Element (*tile)[row], const Element* from, long long pitch, int x_end, int y_end) {
        const int x = static_cast<int>(threadIdx.x) % size;
#pragma unroll
        for (int k = 0; k < size * size / threads; ++k) {
            const int y = static_cast<int>(threadIdx.x) / size + k * (threads / size);
            if (x < x_end && y < y_end) tile[y][x] = load<hint>(from + y * pitch + x);
        }
    }

    static __device__ void give(Element (*tile)[row], Element* to, long long pitch, int x_end, int y_end) {
        const int x = static_cast<int>(threadIdx.x) % size;
#pragma unroll
        for (int k = 0; k < size * size / threads; ++k) {
            const int y = static_cast<int>(threadIdx.x) / size + k * (threads / size);
            if (x < x_end && y < y_end) store<hint>(to + y * pitch + x, tile[x][y]);
        }
    }
};

// In place, of a square matrix: a block moves a tile and the one across the diagonal.
template<int bytes, int size, int threads>
__device__ void exchange_plainly(void* matrix, long long rows, long long pitch, long long stride, int tiles) {
    using Move = Plain<bytes, size, threads, keep>;
    using Element = Piece<bytes>;
    __shared__ Element upper[size][Move::row];
    __shared__ Element lower[size][Move::row];
    const Pair pair = pair_of_block(tiles);
    if (!pair.is_there) return;
    const long long row = pair.row;
    const long long column = pair.column;
    Element* const base = static_cast<Element*>(matrix) + blockIdx.z * stride;
    Element* const one = base + row * size * pitch + column * size;
    Element* const other = base + column * size * pitch + row * size;
    const int x_end = static_cast<int>(min(static_cast<long long>(size), rows - column * size));
    const int y_end = static_cast<int>(min(static_cast<long long>(size), rows - row * size));
    Move::take(upper, one, pitch, x_end, y_end);
    if (row != column) Move::take(lower, other, pitch, y_end, x_end);
    __syncthreads();
    Move::give(upper, other, pitch, y_end, x_end);
    if (row != column) Move::give(lower, one, pitch, x_end, y_end);
}

} // namespace apod::transposing
