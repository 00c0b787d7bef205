// The transpose where rows of both matrices begin at multiples of a word (16 bytes, or fewer): all accesses are whole words.
//
// A cell is a square of as many elements as a word has. A thread loads a cell, a word from each of its rows, turns it in registers and puts
// it into shared memory as words of the output's rows; then the block writes those rows out. Row r of the tile, which is a row of the
// output, keeps its word q at q ^ (r / elements of a word): a quarter of a warp that writes down a column of cells, or reads along a row,
// then meets every bank once.
#pragma once

#include "pieces.cuh"

namespace apod::transposing {

// Column j of the cell becomes word j.
template<int bytes, int word> __device__ inline void turn(const Word<word> (&in)[word / bytes], Word<word> (&out)[word / bytes]) {
    constexpr int side = word / bytes;
    if constexpr (bytes == 1) {
        for (int i = 0; i < side; i += 4) {
            for (int j = 0; j < side; j += 4) {
                const unsigned a = in[i].part[j / 4];
                const unsigned b = in[i + 1].part[j / 4];
                const unsigned c = in[i + 2].part[j / 4];
                const unsigned d = in[i + 3].part[j / 4];
                const unsigned ab_low = __byte_perm(a, b, 0x5140); // a0 b0 a1 b1
                const unsigned cd_low = __byte_perm(c, d, 0x5140);
                const unsigned ab_high = __byte_perm(a, b, 0x7362); // a2 b2 a3 b3
                const unsigned cd_high = __byte_perm(c, d, 0x7362);
                out[j].part[i / 4] = __byte_perm(ab_low, cd_low, 0x5410);
                out[j + 1].part[i / 4] = __byte_perm(ab_low, cd_low, 0x7632);
                out[j + 2].part[i / 4] = __byte_perm(ab_high, cd_high, 0x5410);
                out[j + 3].part[i / 4] = __byte_perm(ab_high, cd_high, 0x7632);
            }
        }
    } else if constexpr (bytes == 2) {
        for (int i = 0; i < side; i += 2) {
            for (int j = 0; j < side; j += 2) {
                out[j].part[i / 2] = __byte_perm(in[i].part[j / 2], in[i + 1].part[j / 2], 0x5410);
                out[j + 1].part[i / 2] = __byte_perm(in[i].part[j / 2], in[i + 1].part[j / 2], 0x7632);
            }
        }
    } else {
        constexpr int parts = bytes / 4;
        for (int i = 0; i < side; ++i) {
            for (int j = 0; j < side; ++j) {
                for (int k = 0; k < parts; ++k) out[j].part[parts * i + k] = in[i].part[parts * j + k];
            }
        }
    }
}

// A tile of columns x rows cells for `threads` threads.
template<int bytes, int word, int columns, int rows, int threads, int hint = keep> struct Cells {
    static constexpr int side = word / bytes; // of a cell
    static constexpr int width = columns * side;
    static constexpr int height = rows * side;
    static constexpr int cells = columns * rows / threads; // of a thread
    static constexpr int words = width * rows;             // of the tile
    static_assert(cells * threads == columns * rows && threads % rows == 0);
    using Element = Piece<bytes>;
    using Access = Piece<word>;

    // The word of a row that begins at column x, if it lies wholly within the `width` columns that are there.
    static __device__ Word<word> load_word(const Element* row, int x, int width) {
        return x + side <= width ? to_word(load<hint>(reinterpret_cast<const Access*>(row + x))) : Word<word>{};
    }

    static __device__ void store_word(Element* row, int x, int width, Access value) {
        if (x + side <= width) {
            store<hint>(reinterpret_cast<Access*>(row + x), value);
            return;
        }
        if (x < width) store_elements<bytes, word>(row + x, to_word(value), 0, width - x);
    }

    // From the matrix to shared memory, turned. Unless the tile is whole, x_end x y_end elements of it are there.
    template<bool whole, class Pitch> static __device__ void take(Access* tile, const Element* from, Pitch pitch, int x_end, int y_end) {
        Word<word> in[cells][side];
#pragma unroll
        for (int k = 0; k < cells; ++k) {
            const int x = static_cast<int>(threadIdx.x + k * threads) % columns * side;
            const int y = static_cast<int>(threadIdx.x + k * threads) / columns * side;
            const Element* row = from + y * pitch;
#pragma unroll
            for (int i = 0; i < side; ++i) {
                in[k][i] = whole || y + i < y_end ? load_word(row + i * pitch, x, whole ? width : x_end) : Word<word>{};
            }
        }
#pragma unroll
        for (int k = 0; k < cells; ++k) {
            const int x = static_cast<int>(threadIdx.x + k * threads) % columns;
            const int y = static_cast<int>(threadIdx.x + k * threads) / columns;
            Word<word> out[side];
            turn<bytes, word>(in[k], out);
#pragma unroll
            for (int i = 0; i < side; ++i) store_shared(&tile[(x * side + i) * rows + (y ^ (x % rows))], to_piece(out[i]));
        }
        if constexpr (!whole && side > 1) add_edge(tile, from, pitch, x_end, y_end);
    }

    // The elements behind the last whole word of each row.
    template<class Pitch> static __device__ void add_edge(Access* tile, const Element* from, Pitch pitch, int x_end, int y_end) {
        __syncthreads();
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.x); i < height * side; i += threads) {
            const int x = x_end / side * side + i % side;
            const int y = i / side;
            if (x < x_end && y < y_end)
                reinterpret_cast<Element*>(&tile[x * rows + (y / side ^ (x / side % rows))])[y % side] = from[y * pitch + x];
        }
    }

    // From shared memory to the other matrix, of which x_end x y_end elements belong to the tile.
    template<bool whole, class Pitch> static __device__ void give(const Access* tile, Element* to, Pitch pitch, int x_end, int y_end) {
        const int x = static_cast<int>(threadIdx.x) % rows;
        const int first = static_cast<int>(threadIdx.x) / rows;
        Element* row = to + first * pitch;
#pragma unroll
        for (int k = 0; k < words / threads; ++k) {
            const int y = first + k * (threads / rows);
            if (whole || y < y_end) {
                const Access value = tile[y * rows + (x ^ (y / side % rows))];
                store_word(row, x * side, whole ? height : x_end, value);
            }
            row += (threads / rows) * pitch;
        }
    }

    static __device__ void move(void* out, const void* in, long long matrix_rows, long long matrix_columns, long long in_pitch,
                                long long out_pitch, long long in_stride, long long out_stride, int shift) {
        Access* const tile = shared_words<Access, words>();
        const Tile at = tile_of_block<width, height>(shift);
        if (at.y >= matrix_rows) return;
        const Element* from = static_cast<const Element*>(in) + blockIdx.z * in_stride + at.y * in_pitch + at.x;
        Element* to = static_cast<Element*>(out) + blockIdx.z * out_stride + at.x * out_pitch + at.y;
        const int x_end = static_cast<int>(min(static_cast<long long>(width), matrix_columns - at.x));
        const int y_end = static_cast<int>(min(static_cast<long long>(height), matrix_rows - at.y));
        move_tile(tile, to, from, in_pitch, out_pitch, x_end, y_end);
    }

    // The same for matrices in which no offset exceeds 31 bits, and blocks in the order of rows. Where everything lies in L2, the time
    // until a block's first load counts.
    static __device__ void move_small(void* out, const void* in, int matrix_rows, int matrix_columns, int in_pitch, int out_pitch,
                                      long long in_stride, long long out_stride) {
        Access* const tile = shared_words<Access, words>();
        const int x = static_cast<int>(blockIdx.x) * width;
        const int y = static_cast<int>(blockIdx.y) * height;
        const Element* from = static_cast<const Element*>(in) + blockIdx.z * in_stride + (y * in_pitch + x);
        Element* to = static_cast<Element*>(out) + blockIdx.z * out_stride + (x * out_pitch + y);
        move_tile(tile, to, from, in_pitch, out_pitch, min(width, matrix_columns - x), min(height, matrix_rows - y));
    }

    template<class Pitch>
    static __device__ void move_tile(Access* tile, Element* to, const Element* from, Pitch in_pitch, Pitch out_pitch, int x_end,
                                     int y_end) {
        if (x_end == width && y_end == height) {
            take<true>(tile, from, in_pitch, width, height);
            __syncthreads();
            give<true>(tile, to, out_pitch, height, width);
        } else {
            take<false>(tile, from, in_pitch, x_end, y_end);
            __syncthreads();
            give<false>(tile, to, out_pitch, y_end, x_end);
        }
    }

    // In place, of a square matrix: the block has a tile and the one across the diagonal. Both are in shared memory before either is
    // written.
    static __device__ void exchange(void* matrix, long long size, long long pitch, long long stride, int tiles) {
        static_assert(width == height);
        Access* const upper = shared_words<Access, 2 * words>();
        Access* const lower = upper + words;
        const Pair pair = pair_of_block(tiles);
        if (!pair.is_there) return;
        Element* const base = static_cast<Element*>(matrix) + blockIdx.z * stride;
        Element* const one = base + pair.row * height * pitch + pair.column * width;
        Element* const other = base + pair.column * height * pitch + pair.row * width;
        const int x_end = static_cast<int>(min(static_cast<long long>(width), size - pair.column * width));
        const int y_end = static_cast<int>(min(static_cast<long long>(height), size - pair.row * height));
        if (x_end == width && y_end == height) {
            take<true>(upper, one, pitch, width, height);
            if (pair.row != pair.column) take<true>(lower, other, pitch, width, height);
            __syncthreads();
            give<true>(upper, other, pitch, width, height);
            if (pair.row != pair.column) give<true>(lower, one, pitch, width, height);
        } else {
            take<false>(upper, one, pitch, x_end, y_end);
            if (pair.row != pair.column) take<false>(lower, other, pitch, y_end, x_end);
            __syncthreads();
            give<false>(upper, other, pitch, y_end, x_end);
            if (pair.row != pair.column) give<false>(lower, one, pitch, x_end, y_end);
        }
    }
};

template<int bytes, int word, int columns, int rows, int threads, int hint>
__global__ void __launch_bounds__(threads)
    cells(void* out, const void* in, long long matrix_rows, long long matrix_columns, long long in_pitch, long long out_pitch,
          long long in_stride, long long out_stride, int shift) {
    Cells<bytes, word, columns, rows, threads, hint>::move(out, in, matrix_rows, matrix_columns, in_pitch, out_pitch, in_stride, out_stride,
                                                           shift);
}

template<int bytes, int word, int columns, int rows, int threads, int hint>
__global__ void __launch_bounds__(threads)
    small_cells(void* out, const void* in, long long matrix_rows, long long matrix_columns, long long in_pitch, long long out_pitch,
                long long in_stride, long long out_stride, int) {
    Cells<bytes, word, columns, rows, threads, hint>::move_small(out, in, static_cast<int>(matrix_rows), static_cast<int>(matrix_columns),
                                                                 static_cast<int>(in_pitch), static_cast<int>(out_pitch), in_stride,
                                                                 out_stride);
}

} // namespace apod::transposing
