// The transpose where rows begin anywhere: in the input, in the output or in both.
//
// A part is what a thread moves at once: an element, or 4 bytes of smaller ones. Input: a warp reads 32 neighbouring parts of a row. Where
// parts do not begin at multiples of 4 bytes, a thread reads the two words that its part lies in and shifts it out of them. Output: what
// a tile writes of each row begins at a multiple of `align` bytes (a sector, or a line), up to that much before the tile, so that
// neighbouring tiles never write to the same sector; for that a tile has a few more rows above it, which its neighbour has too. Words
// across an edge of the matrix are moved element by element: nothing outside is touched.
#pragma once

#include "pieces.cuh"

namespace apod::transposing {

template<int bytes, int align, int columns, int rows, int threads, int hint = keep> struct Lines {
    static constexpr int unit = bytes < 4 ? 4 / bytes : 1; // elements of a part
    static constexpr int width = columns;
    static constexpr int height = rows;
    // Rows above the tile. Of those that a word needs, the first is never the only one.
    static constexpr int above = align <= bytes ? 0 : (align / bytes - 1 + unit - 1) / unit * unit;
    static constexpr int tile_rows = height + above;
    static constexpr int row_parts = tile_rows / unit | 1; // odd: down a column as along a row, parts meet different banks
    static constexpr int tile_parts = width * row_parts;
    // Loading: threads side by side and below each other, and how often they come. Storing: neighbours of a row of the output.
    static constexpr int across = width / unit;
    static constexpr int down = threads / across;
    static constexpr int rounds = (tile_rows / unit + down - 1) / down;
    static constexpr int lanes = across < 32 ? across : 32;
    static constexpr int along = height / unit < 32 ? height / unit : 32;
    static constexpr int teams = threads / along;
    static_assert(threads % across == 0 && across % lanes == 0 && height % (along * unit) == 0 && threads % along == 0 &&
                  width % teams == 0);
    static_assert(teams % unit == 0 && lanes * unit % teams == 0); // rows a team apart are as far apart in shared memory (row_of)
    using Element = Piece<bytes>;
    using Part = Piece < bytes<4 ? 4 : bytes>;

    static __device__ int elements_before(const Element* at, int to) {
        return static_cast<int>(reinterpret_cast<unsigned long long>(at) & (to - 1)) / bytes;
    }
    // Where row x of the tile, which is a row of the output, begins in shared memory. Columns whose parts a warp stores at once are
    // neighbours there.
    static __device__ int row_of(int x) {
        constexpr int step = lanes * unit;
        return (x / step * step + x % unit * lanes + x % step / unit) * row_parts;
    }

    // From the matrix to shared memory. `from`: element 0 of the tile's first row, `above` rows above the tile. Rows y to y_end of the
    // tile are in the matrix, columns x_begin (negative where others precede) to x_end of it.
    template<bool whole, class Pitch>
    static __device__ void take(Part* tile, const Element* from, Pitch pitch, int y, int y_end, int x_begin, int x_end) {
        const int x = static_cast<int>(threadIdx.x) % across * unit;
        const int first = static_cast<int>(threadIdx.x) / across;
        if constexpr (unit == 1) {
            Part value[rounds];
            const Element* row = from + first * pitch + x;
#pragma unroll
            for (int k = 0; k < rounds; ++k) {
                const int place = first + k * down;
                if (whole ? (tile_rows % down == 0 || place < tile_rows) : (place >= y && place < y_end && x < x_end)) {
                    value[k] = load<hint>(row);
                } else {
                    value[k] = {};
                }
                row += down * pitch;
            }
            Part* const to = tile + x * row_parts + first;
#pragma unroll
            for (int k = 0; k < rounds; ++k) {
                if (tile_rows % down == 0 || first + k * down < tile_rows) to[k * down] = value[k];
            }
        } else {
            // Rows that are a multiple of a part's elements apart begin at the same place within a word.
            const unsigned* word[unit];
            int over[unit];
#pragma unroll
            for (int i = 0; i < unit; ++i) {
                const Element* const at = from + (first * unit + i) * pitch + x;
                over[i] = elements_before(at, 4);
                word[i] = reinterpret_cast<const unsigned*>(at - over[i]);
            }
            unsigned low[rounds][unit];
            unsigned high[rounds][unit];
#pragma unroll
            for (int k = 0; k < rounds; ++k) {
                const int place = (first + k * down) * unit;
#pragma unroll
                for (int i = 0; i < unit; ++i) {
                    low[k][i] = 0;
                    high[k][i] = 0;
                    if (whole) {
                        if (tile_rows / unit % down == 0 || place < tile_rows) {
                            low[k][i] = load<hint>(word[i]);
                            high[k][i] = load<hint>(word[i] + 1);
                        }
                    } else if (place + i >= y && place + i < min(y_end, tile_rows)) {
                        if (x - over[i] >= x_begin && x - over[i] + unit <= x_end) low[k][i] = load<hint>(word[i]);
                        if (over[i] != 0 && x - over[i] + 2 * unit <= x_end) high[k][i] = load<hint>(word[i] + 1);
                    }
                    word[i] += down * pitch;
                }
            }
            Part* const to = tile + row_of(x) + first;
#pragma unroll
            for (int k = 0; k < rounds; ++k) {
                if (tile_rows / unit % down == 0 || (first + k * down) * unit < tile_rows) {
                    unsigned part[unit];
#pragma unroll
                    for (int i = 0; i < unit; ++i) part[i] = __funnelshift_r(low[k][i], high[k][i], 8 * bytes * over[i]);
                    unsigned turned[unit];
                    turn_parts(part, turned);
#pragma unroll
                    for (int i = 0; i < unit; ++i) to[i * lanes * row_parts + k * down] = turned[i];
                }
            }
            if (!whole) add_edges(tile, from, pitch, y, y_end, x_begin, x_end);
        }
    }

    // What words across the edges of the matrix have lacked: the first elements of each row and the last.
    template<class Pitch>
    static __device__ void add_edges(Part* tile, const Element* from, Pitch pitch, int y, int y_end, int x_begin, int x_end) {
        __syncthreads();
        constexpr int each = 2 * (unit - 1);
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.x); i < tile_rows * each; i += threads) {
            const int place = i / each;
            const int x = i % each < unit - 1 ? x_begin + i % each : x_end - unit + i % each - (unit - 2);
            if (x >= 0 && x < min(x_end, width) && place >= y && place < y_end)
                reinterpret_cast<Element*>(tile + row_of(x) + place / unit)[place % unit] = from[place * pitch + x];
        }
    }

    // From shared memory to the other matrix: `to` is element 0 of the tile's first row there, of which elements from y on (negative where
    // others precede) and below y_end are there, and rows below x_end.
    template<bool whole, class Pitch> static __device__ void give(const Part* tile, Element* to, Pitch pitch, int y, int y_end, int x_end) {
        const int lane = static_cast<int>(threadIdx.x) % along;
        const int team = static_cast<int>(threadIdx.x) / along;
        Element* row = to + team * pitch;
        const Part* const from_team = tile + row_of(team) + lane;
#pragma unroll(whole ? width / teams : 1)
        for (int k = 0; k < width / teams; ++k) {
            if (whole || team + k * teams < x_end) {
                const int over = elements_before(row, align < bytes ? bytes : align);
                const int start = above - over;
                const Part* const from = from_team + row_of(k * teams) + start / unit;
                Element* const at = row - over + lane * unit;
#pragma unroll
                for (int j = 0; j < height / unit / along; ++j) {
                    const int place = (lane + along * j) * unit - over;
                    if constexpr (unit == 1) {
                        if (whole || (place >= y && place < y_end)) store<hint>(at + along * j, from[along * j]);
                    } else {
                        const int shift = start % unit;
                        unsigned word = from[along * j];
                        if (shift != 0) word = __funnelshift_r(word, from[along * j + 1], 8 * bytes * shift);
                        if (whole || (place >= y && place + unit <= y_end)) {
                            store<hint>(reinterpret_cast<unsigned*>(at) + along * j, word);
                        } else if (place + unit > y && place < y_end) {
                            store_elements<bytes, 4>(at + along * j * unit, Word<4>{{word}}, y - place, y_end - place);
                        }
                    }
                }
            }
            row += teams * pitch;
        }
    }

    // The same for exactly the tile.
    static __device__ void give_exactly(const Part* tile, Element* to, long long pitch, int y_end, int x_end) {
        static_assert(above == 0 && unit == 1);
        const int lane = static_cast<int>(threadIdx.x) % along;
        const int team = static_cast<int>(threadIdx.x) / along;
        Element* row = to + team * pitch;
#pragma unroll
        for (int k = 0; k < width / teams; ++k) {
            const int x = team + k * teams;
            if (x < x_end) {
                const Part* const from = tile + row_of(x);
#pragma unroll
                for (int j = 0; j < height / along; ++j) {
                    if (lane + along * j < y_end) store<hint>(row + lane + along * j, from[lane + along * j]);
                }
            }
            row += teams * pitch;
        }
    }

    static __device__ int within(long long value, int most) {
        return static_cast<int>(min(max(value, static_cast<long long>(-most)), static_cast<long long>(most)));
    }

    static __device__ void move(void* out, const void* in, long long rows_of_matrix, long long columns_of_matrix, long long in_pitch,
                                long long out_pitch, long long in_stride, long long out_stride, int shift) {
        const Tile at = tile_of_block<width, height>(shift);
        if (at.y >= rows_of_matrix + above) return;
        move_tile(static_cast<Element*>(out) + blockIdx.z * out_stride, static_cast<const Element*>(in) + blockIdx.z * in_stride, at.x,
                  at.y, rows_of_matrix, columns_of_matrix, in_pitch, out_pitch);
    }

    // The same for matrices in which no offset exceeds 31 bits, and blocks in the order of rows (cells.cuh).
    static __device__ void move_small(void* out, const void* in, int rows_of_matrix, int columns_of_matrix, int in_pitch, int out_pitch,
                                      long long in_stride, long long out_stride) {
        move_tile(static_cast<Element*>(out) + blockIdx.z * out_stride, static_cast<const Element*>(in) + blockIdx.z * in_stride,
                  static_cast<int>(blockIdx.x) * width, static_cast<int>(blockIdx.y) * height, rows_of_matrix, columns_of_matrix, in_pitch,
                  out_pitch);
    }

    template<class Index>
    static __device__ void move_tile(Element* out, const Element* in, Index x, Index y, Index rows_of_matrix, Index columns_of_matrix,
                                     Index in_pitch, Index out_pitch) {
        Part* const tile = shared_words<Part, tile_parts>();
        const Element* const from = in + ((y - above) * in_pitch + x);
        Element* const to = out + (x * out_pitch + y);
        constexpr int many = 1 << 20; // elements: more than a tile has
        // What lies beside a row, where there are no gaps, is another row.
        const bool beside = unit > 1 && in_pitch == columns_of_matrix;
        const bool rows_inside = y - above >= beside && y + height + beside <= rows_of_matrix;
        const bool columns_inside =
            x + width <= columns_of_matrix && (unit == 1 || beside || (x >= unit && x + width + unit <= columns_of_matrix));
        const int x_end = within(columns_of_matrix - x, many);
        if (rows_inside && columns_inside) {
            take<true>(tile, from, in_pitch, 0, 0, 0, 0);
            __syncthreads();
            give<true>(tile, to, out_pitch, 0, 0, 0);
        } else {
            take<false>(tile, from, in_pitch, within(above - y, many), within(rows_of_matrix - y + above, many), -within(x, many), x_end);
            __syncthreads();
            give<false>(tile, to, out_pitch, -within(y, many), within(rows_of_matrix - y, many), x_end);
        }
    }

    // In place, of a square matrix, for elements of 4 bytes and more: the block has a tile and the one across the diagonal. Both are in
    // shared memory before either is written.
    static __device__ void exchange(void* matrix, long long size, long long pitch, long long stride, int tiles) {
        static_assert(width == height && above == 0 && unit == 1);
        Part* const upper = shared_words<Part, 2 * tile_parts>();
        Part* const lower = upper + tile_parts;
        const Pair pair = pair_of_block(tiles);
        if (!pair.is_there) return;
        Element* const base = static_cast<Element*>(matrix) + blockIdx.z * stride;
        const long long y = pair.row * height;
        const long long x = pair.column * width;
        Element* const one = base + y * pitch + x;
        Element* const other = base + x * pitch + y;
        const int x_end = within(size - x, width);
        const int y_end = within(size - y, height);
        if (x_end == width && y_end == height) {
            take<true>(upper, one, pitch, 0, 0, 0, 0);
            if (pair.row != pair.column) take<true>(lower, other, pitch, 0, 0, 0, 0);
        } else {
            take<false>(upper, one, pitch, 0, y_end, 0, x_end);
            if (pair.row != pair.column) take<false>(lower, other, pitch, 0, x_end, 0, y_end);
        }
        __syncthreads();
        give_exactly(upper, other, pitch, y_end, x_end);
        if (pair.row != pair.column) give_exactly(lower, one, pitch, x_end, y_end);
    }
};

template<int bytes, int align, int columns, int rows, int threads, int hint>
__global__ void __launch_bounds__(threads)
    lines(void* out, const void* in, long long matrix_rows, long long matrix_columns, long long in_pitch, long long out_pitch,
          long long in_stride, long long out_stride, int shift) {
    Lines<bytes, align, columns, rows, threads, hint>::move(out, in, matrix_rows, matrix_columns, in_pitch, out_pitch, in_stride,
                                                            out_stride, shift);
}

} // namespace apod::transposing
