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
    unsigned exact;         // columns in its lists, without what fills the last quad
};

// A tile in shared memory, and how to find its rows: where they are uniform nothing is read of a row but its values.
template<class Value, class Vector, class Index> struct RepeatedRows {
    const Value* values; // entry `start` is element 0
    const int* lists;
    const Vector* own_x; // where not null: x at each column of the lists
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
        return sum_of_products_of(row.length, from, step,
                                  [&](int at) { return converted<Sum<Vector>>(own[at]) * converted<Sum<Vector>>(__ldg(near + list[at])); });
    }
    [[nodiscard]] __device__ Sum<Vector> sum_of_own(const Row& row, int from, int step) const {
        const Value* const own = values + row.first;
        const Vector* const of_list = own_x + row.place;
        return sum_of_products_of(row.length, from, step,
                                  [&](int at) { return converted<Sum<Vector>>(own[at]) * converted<Sum<Vector>>(of_list[at]); });
    }

    template<class Product> static __device__ Sum<Vector> sum_of_products_of(int length, int from, int step, const Product& product) {
        Sum<Vector> total = 0;
        int at = from;
        for (; at + 3 * step < length; at += 4 * step) {
            const Sum<Vector> a = product(at);
            const Sum<Vector> b = product(at + step);
            const Sum<Vector> c = product(at + 2 * step);
            const Sum<Vector> d = product(at + 3 * step);
            total += (a + b) + (c + d);
        }
        for (; at < length; at += step) total += product(at);
        return total;
    }
};

// x at each column of a tile's lists, to shared memory: once for all rows that share a list, and all of a thread's reads on their way
// together. Neighbouring lanes have neighbouring columns.
template<int threads, class Vector>
__device__ inline void gather_lists(Vector* to, const int* __restrict__ lists, int count, const Vector* __restrict__ x) {
    constexpr int deep = list_capacity / threads;
    int columns[deep];
#pragma unroll
    for (int i = 0; i < deep; ++i) {
        const int at = static_cast<int>(threadIdx.x) + i * threads;
        columns[i] = at < count ? __ldcs(&lists[at]) : 0;
    }
#pragma unroll
    for (int i = 0; i < deep; ++i) {
        const int at = static_cast<int>(threadIdx.x) + i * threads;
        if (at < count) to[at] = __ldg(&x[columns[i]]);
    }
}

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
template<int threads, bool from_own, class Value, class Vector, class Index>
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
        if (mine && !later) sum = from_own ? tile.sum_of_own(row, lane, lanes) : tile.sum(row, near + step * number, lane, lanes);
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
        const int first = static_cast<int>(threadIdx.x % 32);
        const Sum<Vector> part =
            from_own ? tile.sum_of_own(tile.row(own), first, 32) : tile.sum(tile.row(own), near + step * own, first, 32);
        const Sum<Vector> sum = sum_of_lanes(part, 32);
        if (threadIdx.x % 32 == 0) finish(&y[own], sum, alpha, beta);
    }
}

// A tile without lists: columns are read where they lie.
template<int threads, class Value, class Vector, class Index>
__device__ inline void add_up_unlisted(const TileInput<Value, Vector, Index>& in, const StagedRows<Vector, Index>& rows,
                                       const Value* own_values, int lanes, Sum<Vector>* scratch, Leftover<Sum<Vector>>& left) {
    const TileRange<Index>& range = rows.range;
    const int own = static_cast<int>(threadIdx.x) / lanes;
    const Index from = own < range.rows ? in.offsets[range.first_row + own] : rows.start;
    const Index to = own < range.rows ? in.offsets[range.first_row + own + 1] : rows.start;
    wait_for_pieces();
    const Stage<Codes::none, Value, Vector, Index> stage = {own_values, in.columns + rows.start, nullptr, nullptr, in.x};
    add_up_staged<threads>(stage, rows, in.offsets, lanes, from, to, left);
    if (!rows.goes_on) return;
    const Sum<Vector> tail = sum_of_block(sum_of_entries<threads>(in, rows.kept_end, range.end), scratch); // synchronises
    if (threadIdx.x == 0) finish(&rows.y[range.first_row + range.rows - 1], left.rest + tail, rows.alpha, rows.beta);
}

// The arguments are those of `staged`, without codes, and what the analysis found: a place in the lists for each row, the tiles, and
// their lists. Dynamic shared memory: staged_capacity values, and the longest lists of a tile.
//
// `short_rows`: with room for three quarters of the warps and registers for all that add_up_uniform holds; else room for all warps.
// `gather`: where lists are counted from the first column, x is brought to shared memory by gather_lists.
template<int threads, bool short_rows, bool gather, class Value, class Vector, class Index>
__global__ void __launch_bounds__(threads, (short_rows || gather ? 1536 : 2048) / threads)
    repeated(const Index* __restrict__ starts, const Index* __restrict__ offsets, const Index* __restrict__ columns,
             const unsigned short* __restrict__ places, const RepeatTile* __restrict__ tiles, const int* __restrict__ lists,
             const Value* __restrict__ values, const Vector* __restrict__ x, Vector* __restrict__ y, Sum<Vector> alpha, Sum<Vector> beta,
             const Index* __restrict__ parts, int part_number, Sum<Vector>* sums, unsigned* counters, long long entries) {
    extern __shared__ __align__(16) unsigned char dynamic[];
    __shared__ Sum<Vector> scratch[threads / 32];
    __shared__ Leftover<Sum<Vector>> left;
    auto* const own_values = reinterpret_cast<Value*>(dynamic);
    auto* const own_lists = reinterpret_cast<int*>(dynamic + staged_capacity * sizeof(Value));
    auto* const own_x = reinterpret_cast<Vector*>(own_lists);
    const TileInput<Value, Vector, Index> in = {offsets, columns, nullptr, values, x};
    const BlockWork work = work_of_block(part_number);
    if (work.is_part) {
        huge_part<threads>(in, parts, sums, counters, y, alpha, beta, scratch, work.number);
        return;
    }
    const RepeatTile tile = tiles[work.number];
    const TileRange<Index> range = tile_range(starts, offsets, work.number, part_number);
    if (range.rows == 0) return;
    const Index start = range.begin / staged_align * staged_align;
    const bool goes_on = range.end - start > staged_capacity;
    const Index kept_end = goes_on ? start + staged_capacity : range.end;
    bring_piece<threads>(own_values, values, start, kept_end, entries);
    if (threadIdx.x == 0) left.long_row_number = 0;
    // Gathered rows get fewer lanes: those of a row read banks of shared memory that those of others read too.
    const bool gathered = gather && tile.relative == 0 && tile.count != not_listed;
    const int lanes = gathered ? staged_lanes<threads / 2>(range.rows) : staged_lanes<threads>(range.rows);
    const int own = static_cast<int>(threadIdx.x) / lanes;
    if (tile.count == not_listed) {
        add_up_unlisted<threads>(in, StagedRows<Vector, Index>{range, start, kept_end, goes_on, y, alpha, beta}, own_values, lanes, scratch,
                                 left);
        return;
    }
    if (gathered) {
        gather_lists<threads>(own_x, lists + 4LL * tile.first, static_cast<int>(tile.exact), x);
    } else {
        bring_piece<threads>(own_lists, lists + 4LL * tile.first, 0, tile.count, tile.count);
    }
    const RepeatedRows<Value, Vector, Index> rows = {own_values,
                                                     own_lists,
                                                     own_x,
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
    const auto entries_here = static_cast<int>(range.end - range.begin);
    if (gathered) {
        add_up_repeated<threads, true>(rows, near, lanes, first, entries_here, own_y, alpha, beta, left);
        return;
    }
    if (tile.uniform != 0 && range.rows >= 2 * threads) {
        add_up_uniform<threads>(rows, near, own_y, alpha, beta);
        return;
    }
    add_up_repeated<threads, false>(rows, near, lanes, first, entries_here, own_y, alpha, beta, left);
}

} // namespace apod::spmv
