// The transpose in place of elements of 1 and 2 bytes where rows begin anywhere: a block moves a tile of 112 x 112 bytes and the one across
// the diagonal, half of its threads each (columns.cuh). Where a row of a tile begins or ends within a word of 16 bytes, the rest of that
// word is another block's: such edges are moved element by element, as many of a row as one word has where the tile is whole.
#pragma once

#include "columns.cuh"

namespace apod::transposing {

template<int bytes, int hint = keep> struct Swaps {
    using Here = Columns<bytes, 128 / bytes>;
    using Element = Piece<bytes>;
    static constexpr int unit = Here::unit;
    static constexpr int each = Here::each;
    static constexpr int loads = Here::loads;
    static constexpr int half_threads = Here::window;
    static constexpr int threads = 2 * half_threads;
    static constexpr int side = Here::width;              // of a tile
    static constexpr int edge_rows = half_threads / each; // whose edges are moved at once
    static constexpr int edge_rounds = 2 * Here::step / edge_rows;

    struct Tile {
        Element* first;
        long long pitch;
        int rows; // that are there
        int columns;
    };

    // Column of the row's element e that is outside its whole words, or at least `columns` where it has fewer. Such elements are as many as
    // a piece has, or none, where the tile is whole.
    template<bool whole> static __device__ int edge_column(int e, int before, int columns) {
        if (whole) return before == 0 ? side : e < each - before ? e : e + side - each;
        const int head = min((each - before) % each, columns);
        const int tail = head + (columns - head) / each * each;
        return e < head ? e : tail + e - head;
    }

    static __device__ Element* staged(uint4* shared, int row, int column) {
        const int group = Here::first_group(column) + row / Here::step * 4;
        return reinterpret_cast<Element*>(shared + group) + row % Here::apart * unit + row % Here::step / Here::apart;
    }

    template<bool whole> static __device__ void take(uint4* shared, const Tile& tile, int thread) {
        const int row = Here::row_of(thread);
        const Element* const begin = tile.first + row * tile.pitch;
        const int before = bytes_before(begin, 16) / bytes;
        const int first = Here::piece_of(thread) * each - before;
        uint4 in[2][loads][unit];
        const Element* at = begin;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
#pragma unroll
            for (int i = 0; i < unit; ++i) {
                const int down = half * Here::step + i * Here::apart;
                const int rows = whole ? side : tile.rows;
#pragma unroll
                for (int k = 0; k < loads; ++k) {
                    const int x = first + k * Here::stride * each;
                    in[half][k][i] = {};
                    if ((down + Here::apart <= rows || row + down < rows) && Here::is_within(x, whole ? side : tile.columns))
                        in[half][k][i] = load<hint>(reinterpret_cast<const uint4*>(at + x));
                }
                at += Here::apart * tile.pitch;
            }
        }
        take_edges<whole>(shared, tile, thread);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
#pragma unroll
            for (int k = 0; k < loads; ++k) {
                if (Here::is_within(first + k * Here::stride * each, whole ? side : tile.columns))
                    Here::stage(Here::target(shared, thread, before), k, 4 * half, in[half][k]);
            }
        }
    }

    template<bool whole> static __device__ void take_edges(uint4* shared, const Tile& tile, int thread) {
        const int rows = whole ? side : tile.rows;
        const int columns = whole ? side : tile.columns;
        const int first = thread / each;
        const Element* row = tile.first + first * tile.pitch;
        Element value[edge_rounds];
        int column[edge_rounds];
#pragma unroll
        for (int k = 0; k < edge_rounds; ++k) {
            column[k] = edge_column<whole>(thread % each, bytes_before(row, 16) / bytes, columns);
            value[k] = {}; // rows that are not there are turned too
            if (first + k * edge_rows < rows && column[k] < columns) value[k] = row[column[k]];
            row += edge_rows * tile.pitch;
        }
#pragma unroll
        for (int k = 0; k < edge_rounds; ++k) {
            if (column[k] < columns) *staged(shared, first + k * edge_rows, column[k]) = value[k];
        }
        if constexpr (!whole) take_rest_of_edges(shared, tile, thread);
    }

    // The matrix's last tiles have longer edges.
    static __device__ void take_rest_of_edges(uint4* shared, const Tile& tile, int thread) {
        if (tile.columns == side) return;
#pragma unroll 1
        for (int y = thread / each; y < 2 * Here::step; y += edge_rows) {
            const Element* const row = tile.first + y * tile.pitch;
            const int x = edge_column<false>(each + thread % each, bytes_before(row, 16) / bytes, tile.columns);
            if (x < tile.columns) *staged(shared, y, x) = y < tile.rows ? row[x] : Element{};
        }
    }

    static __device__ void turn_column(uint4* column, int phase) {
        unsigned word[36] = {};
        Here::turn_groups(column, word + 4);
        Here::turn_groups(column + 4, word + 20);
        Here::shift_up(word, phase);
#pragma unroll
        for (int g = 0; g < 8; ++g) store_shared(&column[g], Here::group_at(word + 4 + 4 * g));
    }

    // To the tile across, whose row c is column c of the one taken: the columns of a warp.
    template<bool whole> static __device__ void give(const uint4* shared, const Tile& to, int thread) {
        const int lane = thread % 32;
        const int warp = thread / 32 * 32;
        const int rows = whole ? side : to.rows;
        const int columns = whole ? side : to.columns;
        const int group = lane % 8;
        Element* row = to.first + (warp + lane / 8) * to.pitch;
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const int column = warp + lane / 8 + 4 * k;
            const int x = each * group - bytes_before(row, 16) / bytes;
            if (column < rows && Here::is_within(x, columns))
                store<hint>(reinterpret_cast<uint4*>(row + x), shared[Here::first_group(column) + group]);
            row += 4 * to.pitch;
        }
        constexpr int beside = 32 / each; // rows whose edges a warp has at once
#pragma unroll 1
        for (int edge = lane % each; edge < (whole || columns == side ? each : 2 * each); edge += each) {
            row = to.first + (warp + lane / each) * to.pitch;
#pragma unroll
            for (int k = 0; k < each; ++k) {
                const int column = warp + lane / each + beside * k;
                const int before = bytes_before(row, 16) / bytes;
                const int x = edge_column<whole>(edge, before, columns);
                if (column < rows && x < columns) row[x] = reinterpret_cast<const Element*>(shared + Here::first_group(column))[x + before];
                row += beside * to.pitch;
            }
        }
    }

    static __device__ void exchange(void* matrix, long long size, long long pitch, long long stride, int tiles) {
        uint4* const both = shared_words<uint4, 2 * Here::groups>();
        const Pair pair = pair_of_block(tiles);
        if (!pair.is_there) return;
        const bool lower = static_cast<int>(threadIdx.x) >= half_threads;
        const int thread = static_cast<int>(threadIdx.x) % half_threads;
        uint4* const shared = both + (lower ? Here::groups : 0);
        const bool idle = lower && pair.row == pair.column;
        Element* const base = static_cast<Element*>(matrix) + blockIdx.z * stride;
        const int rows = static_cast<int>(min(static_cast<long long>(side), size - pair.row * side));
        const int columns = static_cast<int>(min(static_cast<long long>(side), size - pair.column * side));
        const Tile one{base + (pair.row * pitch + pair.column) * side, pitch, rows, columns};
        const Tile other{base + (pair.column * pitch + pair.row) * side, pitch, columns, rows};
        const Tile to = lower ? one : other;
        const bool whole = rows == side && columns == side;
        if (!idle) {
            const Tile from = lower ? other : one;
            whole ? take<true>(shared, from, thread) : take<false>(shared, from, thread);
        }
        __syncthreads();
        if (idle) return;
        if (thread < to.rows) turn_column(shared + Here::first_group(thread), bytes_before(to.first + thread * pitch, 16));
        __syncwarp();
        whole ? give<true>(shared, to, thread) : give<false>(shared, to, thread);
    }
};

} // namespace apod::transposing
