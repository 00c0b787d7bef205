// The tiles of tiles.cuh, worked on the other way round: a block brings a tile's values and columns to shared memory as one stream, past
// the registers, and then gives each row to one lane or a few. Neighbouring lanes are in neighbouring rows, whose columns are neighbours in
// most matrices: their reads of x fall into few lines. Rows much longer than the tile's mean wait until the others are done, and get a
// warp.
#pragma once

#include "tiles.cuh"

namespace apod::spmv {

constexpr int staged_capacity = tile_size + 256; // entries
constexpr int staged_align = 8;                  // entries: 16 bytes of the smallest element

__device__ inline unsigned shared_address(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

// Brings entries [start, end) of an array of `all` entries to shared memory; start is a multiple of staged_align, and what lies between end
// and the next such multiple may come too. What is asynchronous is there after wait_for_pieces.
template<int threads, class Element>
__device__ inline void bring_piece(Element* to, const Element* from, long long start, long long end, long long all) {
    constexpr int wide = 16 / static_cast<int>(sizeof(Element));
    for (long long at = start + wide * static_cast<int>(threadIdx.x); at < end; at += wide * threads) {
        Element* const target = &to[at - start];
        if (at + wide > all) {
            for (long long i = at; i < all; ++i) to[i - start] = from[i];
            continue;
        }
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(target)), "l"(&from[at]) : "memory");
#else
        *reinterpret_cast<uint4*>(target) = __ldcs(reinterpret_cast<const uint4*>(&from[at]));
#endif
    }
}

__device__ inline void wait_for_pieces() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
    __syncthreads();
}

// A tile in shared memory: entry `start` is its element 0.
template<Codes codes, class Value, class Vector, class Index> struct Stage {
    const Value* values;
    const Index* columns; // where there are no codes
    const unsigned short* code;
    const unsigned* windows;
    const Vector* __restrict__ x;

    __device__ Sum<Vector> product(int at) const {
        long long column = 0;
        if (codes == Codes::none) {
            column = columns[at];
        } else if (codes == Codes::windows) {
            column = windows[code[at] >> window_bits] + (code[at] & ((1u << window_bits) - 1));
        } else {
            column = code[at];
        }
        return converted<Sum<Vector>>(values[at]) * converted<Sum<Vector>>(__ldg(&x[column]));
    }

    // Entries from, from + step, ... before `to`: four reads of x on their way at once.
    __device__ Sum<Vector> sum(int from, int to, int step) const {
        Sum<Vector> total = 0;
        int at = from;
        for (; at + 3 * step < to; at += 4 * step) {
            const Sum<Vector> a = product(at);
            const Sum<Vector> b = product(at + step);
            const Sum<Vector> c = product(at + 2 * step);
            const Sum<Vector> d = product(at + 3 * step);
            total += (a + b) + (c + d);
        }
        for (; at < to; at += step) total += product(at);
        return total;
    }
};

// Lanes for a row: as few as keep the block's threads busy.
template<int threads> __device__ inline int staged_lanes(int rows) {
    int lanes = 1;
    while (lanes < 32 && lanes * rows < threads) lanes *= 2;
    return lanes;
}

// A tile's rows as they lie in shared memory.
template<class Vector, class Index> struct StagedRows {
    TileRange<Index> range;
    Index start;    // the entry at element 0
    Index kept_end; // the end of what is there
    bool goes_on;   // the last row ends after it
    Vector* y;
    Sum<Vector> alpha;
    Sum<Vector> beta;

    [[nodiscard]] __device__ int first(Index offset) const { return static_cast<int>(offset - start); }
    [[nodiscard]] __device__ int final(Index offset) const { return static_cast<int>((offset > kept_end ? kept_end : offset) - start); }

    __device__ void finish_row(int number, Sum<Vector> sum, Leftover<Sum<Vector>>& left) const {
        if (number == range.rows - 1 && range.leave_last) return;
        if (number == range.rows - 1 && goes_on) {
            left.rest = sum;
        } else {
            finish(&y[range.first_row + number], sum, alpha, beta);
        }
    }
};

// A lane or a few for each row; `from` and `to` are the offsets of a thread's first row, read before the tile was there.
template<int threads, Codes codes, class Value, class Vector, class Index>
__device__ inline void add_up_staged(const Stage<codes, Value, Vector, Index>& stage, const StagedRows<Vector, Index>& rows,
                                     const Index* __restrict__ offsets, int lanes, Index from, Index to, Leftover<Sum<Vector>>& left) {
    const int lane = static_cast<int>(threadIdx.x) & (lanes - 1);
    const int at_once = threads / lanes;
    const int long_row = 8 * static_cast<int>((rows.kept_end - rows.range.begin) / rows.range.rows) + 32 * lanes;
    int number = static_cast<int>(threadIdx.x) / lanes;
    for (int base = 0; base < rows.range.rows; base += at_once) {
        const bool mine = number < rows.range.rows;
        const int first = rows.first(from);
        const int final = rows.final(to);
        const bool later = mine && final - first > long_row;
        Sum<Vector> sum = 0;
        if (mine && !later) sum = stage.sum(first + lane, final, lanes);
        sum = sum_of_lanes(sum, lanes);
        if (mine && lane == 0) {
            if (later) {
                left.long_rows[atomicAdd(&left.long_row_number, 1)] = number;
            } else {
                rows.finish_row(number, sum, left);
            }
        }
        number += at_once;
        if (number < rows.range.rows) {
            from = offsets[rows.range.first_row + number];
            to = offsets[rows.range.first_row + number + 1];
        }
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x) / 32; i < left.long_row_number; i += threads / 32) {
        const Index* const own = &offsets[rows.range.first_row + left.long_rows[i]];
        const int first = rows.first(own[0]);
        const Sum<Vector> sum = sum_of_lanes(stage.sum(first + static_cast<int>(threadIdx.x % 32), rows.final(own[1]), 32), 32);
        if (threadIdx.x % 32 == 0) rows.finish_row(left.long_rows[i], sum, left);
    }
}

// `threads`: 128, or 256 for rows so short that each thread has one. The arguments are those of `tiled`, and the matrix's number of
// entries. Columns, codes and values are aligned to 16 bytes.
template<Codes codes, int threads, class Value, class Vector, class Index>
__global__ void __launch_bounds__(threads)
    staged(const Index* __restrict__ starts, const Index* __restrict__ offsets, const Index* __restrict__ columns,
           const unsigned short* __restrict__ code, const unsigned* __restrict__ windows, const Value* __restrict__ values,
           const Vector* __restrict__ x, Vector* __restrict__ y, Sum<Vector> alpha, Sum<Vector> beta, const Index* __restrict__ parts,
           int part_number, Sum<Vector>* sums, unsigned* counters, long long entries) {
    constexpr bool is_coded = codes != Codes::none;
    __shared__ __align__(16) Value own_values[staged_capacity];
    __shared__ __align__(16) unsigned char own_columns[staged_capacity * (is_coded ? sizeof(unsigned short) : sizeof(Index))];
    __shared__ Sum<Vector> scratch[threads / 32];
    __shared__ unsigned own_windows[windows_of_a_tile];
    __shared__ Leftover<Sum<Vector>> left;
    const TileInput<Value, Vector, Index> in = {offsets, columns, code, values, x};
    const BlockWork work = work_of_block(part_number);
    if (work.is_part) {
        huge_part<threads>(in, parts, sums, counters, y, alpha, beta, scratch, work.number);
        return;
    }
    const long long tile = work.number;
    const TileRange<Index> range = tile_range(starts, offsets, tile, part_number);
    if (range.rows == 0) return;
    const unsigned window = codes == Codes::windows ? windows[windows_of_a_tile * tile + threadIdx.x % windows_of_a_tile] : 0;
    const Index start = range.begin / staged_align * staged_align;
    const bool goes_on = range.end - start > staged_capacity;
    const Index kept_end = goes_on ? start + staged_capacity : range.end;
    bring_piece<threads>(own_values, values, start, kept_end, entries);
    // The first window is in every warp's first lane: it tells whether the tile is coded.
    const bool coded = codes == Codes::plain || (codes == Codes::windows && __shfl_sync(0xffffffffu, window, 0) != not_coded);
    if (is_coded && coded) {
        bring_piece<threads>(reinterpret_cast<unsigned short*>(own_columns), code, start, kept_end, entries);
    } else if (!is_coded) {
        bring_piece<threads>(reinterpret_cast<Index*>(own_columns), columns, start, kept_end, entries);
    }
    if (codes == Codes::windows && threadIdx.x < windows_of_a_tile) own_windows[threadIdx.x] = window;
    if (threadIdx.x == 0) left.long_row_number = 0;
    const int lanes = staged_lanes<threads>(range.rows);
    const int number = static_cast<int>(threadIdx.x) / lanes;
    const Index from = number < range.rows ? offsets[range.first_row + number] : start;
    const Index to = number < range.rows ? offsets[range.first_row + number + 1] : start;
    wait_for_pieces();
    const StagedRows<Vector, Index> rows = {range, start, kept_end, goes_on, y, alpha, beta};
    const auto* const own_code = reinterpret_cast<const unsigned short*>(own_columns);
    if (codes == Codes::windows && !coded) { // columns are read where they lie
        const Stage<Codes::none, Value, Vector, Index> stage = {own_values, columns + start, own_code, own_windows, x};
        add_up_staged<threads>(stage, rows, offsets, lanes, from, to, left);
    } else {
        const Stage<codes, Value, Vector, Index> stage = {own_values, reinterpret_cast<const Index*>(own_columns), own_code, own_windows,
                                                          x};
        add_up_staged<threads>(stage, rows, offsets, lanes, from, to, left);
    }
    if (!goes_on) return;
    const Sum<Vector> tail =
        sum_of_block(sum_of_entries<threads>(in, kept_end, range.end), scratch); // synchronises: `rest` is there after it
    if (threadIdx.x == 0) finish(&y[range.first_row + range.rows - 1], left.rest + tail, alpha, beta);
}

} // namespace apod::spmv
