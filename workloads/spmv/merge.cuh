// Merge-path CSR (Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication", SC 2016): rows and entries are merged as
// two sorted lists, and every thread takes the same number of steps of the merge, whatever the rows' lengths. What a block has of a row
// that ends in a later block is carried there by a second kernel.
#pragma once

#include "kernels.cuh"

namespace apod::spmv {

constexpr int merge_threads = 128;
constexpr int merge_items = 7; // odd: threads that walk through shared memory then meet different banks
constexpr int merge_tile = merge_threads * merge_items;

// How many rows end within the first `diagonal` steps of the merge of `ends` (of `rows` rows) with the numbers `first_entry`, ...
template<class Index> __device__ inline int rows_before(const Index* ends, int rows, Index first_entry, int entries, int diagonal) {
    int low = diagonal > entries ? diagonal - entries : 0;
    int high = diagonal < rows ? diagonal : rows;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (ends[middle] <= first_entry + (diagonal - middle - 1)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// A thread for each tile and one for the end: the row at which it begins.
template<class Index>
__global__ void find_merge_tiles(const Index* __restrict__ offsets, long long rows, long long entries, long long tiles, Index* starts) {
    const long long tile = thread_number();
    if (tile > tiles) return;
    const long long whole = rows + entries;
    const long long diagonal = tile * merge_tile < whole ? tile * merge_tile : whole;
    long long low = diagonal > entries ? diagonal - entries : 0;
    long long high = diagonal < rows ? diagonal : rows;
    while (low < high) {
        const long long middle = (low + high) / 2;
        if (offsets[middle + 1] <= diagonal - middle - 1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    starts[tile] = static_cast<Index>(low);
}

// For each thread the sum that threads before it carry into its first row: those after the last thread that ended a row, and its own carry.
// ended: the thread ends a row. carry: what it has of the row that it leaves unfinished.
template<class Number> __device__ inline Number carried_in(bool ended, Number carry, Number* carries, int* ends) {
    carries[threadIdx.x] = carry;
    ends[threadIdx.x] = ended ? 1 : 0;
    __syncthreads();
    // A segmented scan in log2(threads) steps.
    for (int step = 1; step < merge_threads; step *= 2) {
        const bool add = static_cast<int>(threadIdx.x) >= step && ends[threadIdx.x] == 0;
        const Number other = add ? carries[threadIdx.x - step] : Number(0);
        const int other_end = add ? ends[threadIdx.x - step] : 0;
        __syncthreads();
        carries[threadIdx.x] += other;
        ends[threadIdx.x] |= other_end;
        __syncthreads();
    }
    return threadIdx.x > 0 ? carries[threadIdx.x - 1] : Number(0);
}

template<class Value, class Vector, class Index>
__global__ void __launch_bounds__(merge_threads)
    merge_path(const Index* __restrict__ starts, const Index* __restrict__ offsets, const Index* __restrict__ columns,
               const Value* __restrict__ values, const Vector* __restrict__ x, Vector* __restrict__ y, Sum<Vector> alpha, Sum<Vector> beta,
               long long rows, long long entries, Index* carry_rows, Sum<Vector>* carry_sums) {
    __shared__ Index ends[merge_tile + 1];
    __shared__ Sum<Vector> products[merge_tile];
    __shared__ Sum<Vector> carries[merge_threads];
    __shared__ int ended_rows[merge_threads];
    const long long tile = blockIdx.x;
    const long long whole = rows + entries;
    const long long diagonal = tile * merge_tile;
    const int steps = static_cast<int>(diagonal + merge_tile < whole ? merge_tile : whole - diagonal);
    const Index first_row = starts[tile];
    const int tile_rows = static_cast<int>(starts[tile + 1] - first_row);
    const Index first_entry = static_cast<Index>(diagonal - first_row);
    const int tile_entries = steps - tile_rows;
    for (int i = threadIdx.x; i < tile_rows; i += merge_threads) ends[i] = offsets[first_row + i + 1];
    for (int i = threadIdx.x; i < tile_entries; i += merge_threads) {
        const Index k = first_entry + i;
        products[i] = converted<Sum<Vector>>(values[k]) * converted<Sum<Vector>>(__ldg(&x[columns[k]]));
    }
    __syncthreads();
    const int own = static_cast<int>(threadIdx.x) * merge_items;
    const int begin = own < steps ? own : steps;
    const int end = own + merge_items < steps ? own + merge_items : steps;
    int row = rows_before(ends, tile_rows, first_entry, tile_entries, begin);
    int entry = begin - row;
    int first_ended = -1;
    Sum<Vector> first_sum = 0;
    Sum<Vector> sum = 0;
    for (int step = begin; step < end; ++step) {
        if (row < tile_rows && ends[row] <= first_entry + entry) {
            if (first_ended < 0) {
                first_ended = row;
                first_sum = sum;
            } else {
                finish(&y[first_row + row], sum, alpha, beta);
            }
            sum = 0;
            ++row;
        } else {
            sum += products[entry++];
        }
    }
    const Sum<Vector> before = carried_in(first_ended >= 0, sum, carries, ended_rows);
    if (first_ended >= 0) finish(&y[first_row + first_ended], before + first_sum, alpha, beta);
    if (threadIdx.x == merge_threads - 1) {
        carry_rows[tile] = first_row + tile_rows;
        carry_sums[tile] = carries[threadIdx.x];
    }
}

// A thread for each tile that carries into a row which a later tile ends; the first of a row's carriers adds up all of them, in order.
template<class Vector, class Index>
__global__ void add_carries(const Index* __restrict__ carry_rows, const Sum<Vector>* __restrict__ carry_sums, long long tiles,
                            long long rows, Vector* y, Sum<Vector> alpha) {
    const long long tile = thread_number();
    if (tile >= tiles) return;
    const Index row = carry_rows[tile];
    if (row >= rows || (tile > 0 && carry_rows[tile - 1] == row)) return;
    Sum<Vector> sum = 0;
    for (long long i = tile; i < tiles && carry_rows[i] == row; ++i) sum += carry_sums[i];
    y[row] = converted<Vector>(converted<Sum<Vector>>(y[row]) + alpha * sum);
}

} // namespace apod::spmv
