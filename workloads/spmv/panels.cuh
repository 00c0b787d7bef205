// Huge rows by panels of x. What reads of x cost is requests to L2, one for each entry of a long row whose columns lie far apart; L2 takes
// some 94 a cycle, and no order of one row's entries makes them fewer. But where many rows are huge, each has entries in every stretch of
// x that fits the shared memory of a multiprocessor: a block brings one such panel there, and works on what all huge rows have in it. What
// a row has in a panel lies together in the matrix, because columns ascend; it is cut into pieces, whose sums are added up at the end, in
// the order of panels and pieces.
#pragma once

#include "analysis.cuh"

namespace apod::spmv {

constexpr int panel_threads = 1024;
constexpr int panel_bytes = 192 * 1024;
constexpr int piece_size = 1024;  // entries at most
constexpr int panel_density = 64; // entries that a huge row should have in a panel, in the mean
template<class Vector> constexpr int panel_columns = panel_bytes / static_cast<int>(sizeof(Vector));

template<class Index> struct Piece {
    Index begin;
    Index end;
};
// What a huge row has in a panel.
struct PieceRange {
    int first;
    int count;
};

// A block for each part of a huge row: whether its columns ascend, to the beginning of the next.
template<class Index>
__global__ void __launch_bounds__(tile_threads)
    check_ascending(const Index* __restrict__ columns, const Index* __restrict__ parts, int part_number, unsigned long long* descending) {
    const Index* const part = &parts[part_fields * static_cast<long long>(blockIdx.x)];
    const bool last = static_cast<Index>(blockIdx.x) + 1 == part[part_first] + part[part_count];
    const Index end = last ? part[part_end] - 1 : part[part_end];
    bool wrong = false;
    for (Index k = part[part_begin] + static_cast<int>(threadIdx.x); k < end; k += tile_threads) wrong |= columns[k] > columns[k + 1];
    if (__syncthreads_or(wrong) && threadIdx.x == 0) *descending = 1;
}

// The first of a row's entries whose column is not before `column`.
template<class Index> __device__ inline Index first_from(const Index* __restrict__ columns, Index begin, Index end, long long column) {
    while (begin < end) {
        const Index middle = begin + (end - begin) / 2;
        if (columns[middle] < column) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

// A thread for each huge row and panel. Without `pieces` it counts the pieces of each panel; with them it makes them, from starts[panel]
// on.
template<class Index>
__global__ void find_pieces(const Index* __restrict__ offsets, const Index* __restrict__ columns, const Index* __restrict__ huge_rows,
                            int huge_number, int panels, int columns_of_panel, int* counts, const int* __restrict__ starts,
                            Piece<Index>* pieces, PieceRange* ranges) {
    const long long place = thread_number();
    if (place >= static_cast<long long>(huge_number) * panels) return;
    const Index row = huge_rows[place / panels];
    const auto panel = static_cast<int>(place % panels);
    const Index begin = first_from(columns, offsets[row], offsets[row + 1], static_cast<long long>(panel) * columns_of_panel);
    const Index end = first_from(columns, begin, offsets[row + 1], (static_cast<long long>(panel) + 1) * columns_of_panel);
    const auto count = static_cast<int>((end - begin + piece_size - 1) / piece_size);
    const int before = count == 0 ? 0 : atomicAdd(&counts[panel], count);
    if (pieces == nullptr) return;
    const int first = starts[panel] + before;
    ranges[place] = {first, count};
    for (int i = 0; i < count; ++i) {
        const Index from = begin + static_cast<Index>(i) * piece_size;
        pieces[first + i] = {from, i + 1 == count ? end : from + piece_size};
    }
}

// One thread: where the pieces of each panel begin, and where all end; the counts begin again.
template<class Count> __global__ void place_panels(Count* counts, int panels, int* starts) {
    int before = 0;
    for (int panel = 0; panel < panels; ++panel) {
        starts[panel] = before;
        before += counts[panel];
        counts[panel] = 0;
    }
    starts[panels] = before;
}

// The sum of a piece, in the warp's first lane. x is the panel's.
template<class Value, class Vector, class Index>
__device__ inline Sum<Vector> sum_of_piece(const Piece<Index>& piece, const Index* __restrict__ columns, const Value* __restrict__ values,
                                           const Vector* x, Index first_column) {
    constexpr int deep = 4; // loads on their way at once
    Sum<Vector> sum = 0;
    for (Index base = piece.begin + static_cast<int>(threadIdx.x % 32); base < piece.end; base += deep * 32) {
        Value own[deep];
        Index column[deep];
#pragma unroll
        for (int i = 0; i < deep; ++i) {
            const Index k = base + i * 32;
            own[i] = k < piece.end ? __ldcs(&values[k]) : Value(0);
            column[i] = k < piece.end ? __ldcs(&columns[k]) : first_column;
        }
#pragma unroll
        for (int i = 0; i < deep; ++i) {
            if (base + i * 32 < piece.end) sum += converted<Sum<Vector>>(own[i]) * converted<Sum<Vector>>(x[column[i] - first_column]);
        }
    }
    return sum_of_lanes(sum, 32);
}

// `splits` blocks for each panel, each with a share of its pieces; a warp takes the next piece when it is through with one.
template<class Value, class Vector, class Index>
__global__ void __launch_bounds__(panel_threads, 1)
    multiply_panels(const Index* __restrict__ columns, const Value* __restrict__ values, const Vector* __restrict__ x,
                    long long column_number, const int* __restrict__ starts, const Piece<Index>* __restrict__ pieces,
                    Sum<Vector>* __restrict__ sums, int splits) {
    extern __shared__ __align__(16) unsigned char dynamic[];
    __shared__ int next;
    auto* const own_x = reinterpret_cast<Vector*>(dynamic);
    const auto panel = static_cast<int>(blockIdx.x) / splits;
    const auto split = static_cast<int>(blockIdx.x) % splits;
    const long long number = starts[panel + 1] - starts[panel];
    const int first = starts[panel] + static_cast<int>(number * split / splits);
    const int end = starts[panel] + static_cast<int>(number * (split + 1) / splits);
    if (first == end) return;
    const long long first_column = static_cast<long long>(panel) * panel_columns<Vector>;
    const long long left = column_number - first_column;
    const int there = left < panel_columns<Vector> ? static_cast<int>(left) : panel_columns<Vector>;
    if (threadIdx.x == 0) next = first + panel_threads / 32;
#pragma unroll 8
    for (int i = static_cast<int>(threadIdx.x); i < there; i += panel_threads) own_x[i] = __ldg(&x[first_column + i]);
    __syncthreads();
    for (int piece = first + static_cast<int>(threadIdx.x) / 32; piece < end;) {
        const Sum<Vector> sum = sum_of_piece(pieces[piece], columns, values, own_x, static_cast<Index>(first_column));
        int other = 0;
        if (threadIdx.x % 32 == 0) {
            sums[piece] = sum;
            other = atomicAdd(&next, 1);
        }
        piece = __shfl_sync(0xffffffffu, other, 0);
    }
}

// A warp for each huge row.
template<class Vector, class Index>
__global__ void __launch_bounds__(256)
    finish_huge_rows(const Index* __restrict__ huge_rows, int huge_number, int panels, const PieceRange* __restrict__ ranges,
                     const Sum<Vector>* __restrict__ sums, Vector* __restrict__ y, Sum<Vector> alpha, Sum<Vector> beta) {
    const long long number = thread_number() / 32;
    if (number >= huge_number) return;
    Sum<Vector> sum = 0;
    for (int panel = static_cast<int>(threadIdx.x % 32); panel < panels; panel += 32) {
        const PieceRange range = ranges[number * panels + panel];
        for (int i = 0; i < range.count; ++i) sum += sums[range.first + i];
    }
    sum = sum_of_lanes(sum, 32);
    if (threadIdx.x % 32 == 0) finish(&y[huge_rows[number]], sum, alpha, beta);
}

} // namespace apod::spmv
