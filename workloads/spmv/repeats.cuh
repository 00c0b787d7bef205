// The tiles of tiles.cuh for matrices whose rows repeat each other, as those of grids, bands and blocks do. A tile keeps one list of
// columns for all rows that have the same ones, counted either from the row itself (relative: grids, bands) or from the first column
// (blocks). Of a row there is then little more to read than its values: 4 bytes an entry travel instead of 8. Values and lists go to shared
// memory asynchronously, and lanes are rows, as in staged.cuh.
//
// The lists are made by an analysis of offsets and columns (repeats_analysis.cuh).
#pragma once

#include "staged.cuh"

namespace apod::spmv {

constexpr int list_capacity = 1024;       // columns in the lists of a tile, at most
constexpr unsigned not_listed = ~0u;      // as a tile's count: its columns are read where they lie
constexpr unsigned short leads = 0x8000u; // of a row: its columns are those of the list
constexpr unsigned short list_place = 0x0fffu;

// What is kept of a tile. `first` is in quads of columns, so that lists begin at 16 bytes.
struct alignas(16) RepeatTile {
    unsigned first;
    unsigned count;         // columns in its lists, a multiple of 4
    unsigned short length;  // of each row, where all rows have the same list
    unsigned char relative; // columns are counted from the row
    unsigned char uniform;  // all rows have the same list
    unsigned unused;
};

// A tile in shared memory, and how to find its rows: where they are uniform nothing is read of a row but its values.
template<class Value, class Vector, class Index> struct RepeatedRows {
    const Value* values; // entry `start` is element 0
    const int* lists;
    const Vector* __restrict__ x;
    const Index* __restrict__ offsets;         // of the tile's first row
    const unsigned short* __restrict__ places; // likewise
    RepeatTile tile;
    int rows;
    Index start;
    int begin; // the element of the first row's first value

    struct Row {
        int first;
        int length;
        int place;
    };
    [[nodiscard]] __device__ Row row(int number) const {
        if (number >= rows) return {0, 0, 0};
        if (tile.uniform != 0) return {begin + number * tile.length, tile.length, 0};
        const Index from = offsets[number];
        return {static_cast<int>(from - start), static_cast<int>(offsets[number + 1] - from), places[number] & list_place};
    }

    // Entries from, from + step, ... of a row; `near` is x, or where the row's own element of it is.
    __device__ Sum<Vector> sum(const Row& row, const Vector* __restrict__ near, int from, int step) const {
        const Value* const own = values + row.first;
        const int* const list = lists + row.place;
        const auto product = [&](int at) { return converted<Sum<Vector>>(own[at]) * converted<Sum<Vector>>(__ldg(near + list[at])); };
        Sum<Vector> total = 0;
        int at = from;
        for (; at + 3 * step < row.length; at += 4 * step) {
            const Sum<Vector> a = product(at);
            const Sum<Vector> b = product(at + step);
            const Sum<Vector> c = product(at + 2 * step);
            const Sum<Vector> d = product(at + 3 * step);
            total += (a + b) + (c + d);
        }
        for (; at < row.length; at += step) total += product(at);
        return total;
    }
};

// Short rows, all alike: four for each thread at once, so that their reads of x are on their way together.
template<int threads, class Value, class Vector, class Index>
__device__ inline void add_up_uniform(const RepeatedRows<Value, Vector, Index>& tile, const Vector* __restrict__ near, Vector* y,
                                      Sum<Vector> alpha, Sum<Vector> beta) {
    constexpr int at_once = 4;
    for (int number = static_cast<int>(threadIdx.x); number < tile.rows; number += at_once * threads) {
        Sum<Vector> sums[at_once] = {};
        int first[at_once];
        const Vector* own_x[at_once];
#pragma unroll
        for (int i = 0; i < at_once; ++i) { // rows that are not there are the last one again
            const int own = number + i * threads < tile.rows ? number + i * threads : tile.rows - 1;
            first[i] = tile.begin + own * tile.tile.length;
            own_x[i] = near + (tile.tile.relative != 0 ? own : 0);
        }
        for (int at = 0; at < tile.tile.length; ++at) {
            const int column = tile.lists[at];
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                sums[i] += converted<Sum<Vector>>(tile.values[first[i] + at]) * converted<Sum<Vector>>(__ldg(own_x[i] + column));
            }
        }
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            if (number + i * threads < tile.rows) finish(&y[number + i * threads], sums[i], alpha, beta);
        }
    }
}

// A lane or a few for each row; rows much longer than the others wait, and get a warp. `near` is x, or the first row's own element of it.
template<int threads, class Value, class Vector, class Index>
__device__ inline void add_up_repeated(const RepeatedRows<Value, Vector, Index>& tile, const Vector* __restrict__ near, int lanes,
                                       typename RepeatedRows<Value, Vector, Index>::Row row, int entries, Vector* y, Sum<Vector> alpha,
                                       Sum<Vector> beta, Leftover<Sum<Vector>>& left) {
    const int lane = static_cast<int>(threadIdx.x) & (lanes - 1);
    const int at_once = threads / lanes;
    const int long_row = 8 * (entries / tile.rows) + 32 * lanes;
    const int step = tile.tile.relative != 0 ? 1 : 0;
    int number = static_cast<int>(threadIdx.x) / lanes;
    for (int base = 0; base < tile.rows; base += at_once) {
        const bool mine = number < tile.rows;
        const bool later = mine && row.length > long_row;
        Sum<Vector> sum = 0;
        if (mine && !later) sum = tile.sum(row, near + step * number, lane, lanes);
        sum = sum_of_lanes(sum, lanes);
        if (mine && lane == 0) {
            if (later) {
                left.long_rows[atomicAdd(&left.long_row_number, 1)] = number;
            } else {
                finish(&y[number], sum, alpha, beta);
            }
        }
        number += at_once;
        row = tile.row(number);
    }
    if (tile.tile.uniform != 0) return;
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x) / 32; i < left.long_row_number; i += threads / 32) {
        const int own = left.long_rows[i];
        const Sum<Vector> sum = sum_of_lanes(tile.sum(tile.row(own), near + step * own, static_cast<int>(threadIdx.x % 32), 32), 32);
        if (threadIdx.x % 32 == 0) finish(&y[own], sum, alpha, beta);
    }
}

// The arguments are those of `staged`, without codes, and what the analysis found: a place in the lists for each row, the tiles, and
// their lists. Dynamic shared memory: staged_capacity values, and the longest lists of a tile.
//
// `short_rows`: with room for three quarters of the warps and registers for all that add_up_uniform holds; else room for all warps.
template<int threads, bool short_rows, class Value, class Vector, class Index>
__global__ void __launch_bounds__(threads, (short_rows ? 1536 : 2048) / threads)
    repeated(const Index* __restrict__ starts, const Index* __restrict__ offsets, const Index* __restrict__ columns,
             const unsigned short* __restrict__ places, const RepeatTile* __restrict__ tiles, const int* __restrict__ lists,
             const Value* __restrict__ values, const Vector* __restrict__ x, Vector* __restrict__ y, Sum<Vector> alpha, Sum<Vector> beta,
             const Index* __restrict__ parts, int part_number, Sum<Vector>* sums, unsigned* counters, long long entries) {
    extern __shared__ __align__(16) unsigned char dynamic[];
    __shared__ Sum<Vector> scratch[threads / 32];
    __shared__ Leftover<Sum<Vector>> left;
    auto* const own_values = reinterpret_cast<Value*>(dynamic);
    auto* const own_lists = reinterpret_cast<int*>(dynamic + staged_capacity * sizeof(Value));
    const TileInput<Value, Vector, Index> in = {offsets, columns, nullptr, values, x};
    if (static_cast<int>(blockIdx.x) < part_number) {
        huge_part<threads>(in, parts, sums, counters, y, alpha, beta, scratch);
        return;
    }
    const long long number = static_cast<long long>(blockIdx.x) - part_number;
    const RepeatTile tile = tiles[number];
    const TileRange<Index> range = tile_range(starts, offsets, number);
    if (range.rows == 0) return;
    const Index start = range.begin / staged_align * staged_align;
    const bool goes_on = range.end - start > staged_capacity;
    const Index kept_end = goes_on ? start + staged_capacity : range.end;
    bring_piece<threads>(own_values, values, start, kept_end, entries);
    if (threadIdx.x == 0) left.long_row_number = 0;
    const int lanes = staged_lanes<threads>(range.rows);
    const int own = static_cast<int>(threadIdx.x) / lanes;
    if (tile.count == not_listed) { // columns are read where they lie
        const Index from = own < range.rows ? offsets[range.first_row + own] : start;
        const Index to = own < range.rows ? offsets[range.first_row + own + 1] : start;
        wait_for_pieces();
        const StagedRows<Vector, Index> rows = {range, start, kept_end, goes_on, y, alpha, beta};
        const Stage<Codes::none, Value, Vector, Index> stage = {own_values, columns + start, nullptr, nullptr, x};
        add_up_staged<threads>(stage, rows, offsets, lanes, from, to, left);
        if (!goes_on) return;
        const Sum<Vector> tail = sum_of_block(sum_of_entries<threads>(in, kept_end, range.end), scratch); // synchronises
        if (threadIdx.x == 0) finish(&y[range.first_row + range.rows - 1], left.rest + tail, alpha, beta);
        return;
    }
    bring_piece<threads>(own_lists, lists + 4LL * tile.first, 0, tile.count, tile.count);
    const RepeatedRows<Value, Vector, Index> rows = {own_values,
                                                     own_lists,
                                                     x,
                                                     offsets + range.first_row,
                                                     places + range.first_row,
                                                     tile,
                                                     range.rows,
                                                     start,
                                                     static_cast<int>(range.begin - start)};
    const auto first = rows.row(own);
    wait_for_pieces();
    const Vector* const near = x + (tile.relative != 0 ? range.first_row : 0);
    Vector* const own_y = y + range.first_row;
    if (tile.uniform != 0 && range.rows >= 2 * threads) {
        add_up_uniform<threads>(rows, near, own_y, alpha, beta);
        return;
    }
    add_up_repeated<threads>(rows, near, lanes, first, static_cast<int>(range.end - range.begin), own_y, alpha, beta, left);
}

} // namespace apod::spmv
