// The multiplication for vectors that fit the shared memory of a multiprocessor: one block on each, whose threads first bring x there. Then
// x is read at the rate of shared memory, in which 32 random elements take 3 to 4 wavefronts; in L1 they are in up to 32 lines.
#pragma once

#include "tiles.cuh"

namespace apod::spmv {

constexpr int resident_threads = 1024;

// Brings `count` elements to shared memory, in pieces of 16 bytes; both are aligned so.
template<class Vector> __device__ inline void bring(Vector* to, const Vector* __restrict__ from, long long count) {
    constexpr int wide = 16 / sizeof(Vector);
    const long long pieces = count / wide;
    for (long long i = threadIdx.x; i < pieces; i += resident_threads) {
        reinterpret_cast<uint4*>(to)[i] = __ldg(reinterpret_cast<const uint4*>(from) + i);
    }
    for (long long i = pieces * wide + threadIdx.x; i < count; i += resident_threads) to[i] = from[i];
}

__device__ inline void prefetch(const void* address) { asm volatile("prefetch.global.L2 [%0];" ::"l"(address)); }

// A row's entries for a warp, `wide` a lane at once and `deep` such pieces on their way together.
template<Codes codes, int wide, int deep, class Value, class Vector, class Index>
__device__ inline Sum<Vector> resident_row(const Index* __restrict__ columns, const unsigned short* __restrict__ code,
                                           const Value* __restrict__ values, const Vector* x, Index begin, Index end) {
    Sum<Vector> sum = 0;
    const int lane = threadIdx.x % 32;
    for (Index at = begin / wide * wide + wide * lane; at - wide * lane < end; at += wide * 32 * deep) {
        Pack<Value, wide> value[deep];
        Pack<unsigned short, wide> shorts[deep];
        Pack<Index, wide> column[deep];
#pragma unroll
        for (int i = 0; i < deep; ++i) {
            const Index first = at + i * 32 * wide;
            if (first < begin || first + wide > end) continue;
            value[i] = load_once<wide>(&values[first]);
            if (codes == Codes::plain) {
                shorts[i] = load_once<wide>(&code[first]);
            } else {
                column[i] = load_once<wide>(&columns[first]);
            }
        }
#pragma unroll
        for (int i = 0; i < deep; ++i) {
            const Index first = at + i * 32 * wide;
            if (first >= begin && first + wide <= end) {
#pragma unroll
                for (int j = 0; j < wide; ++j) {
                    const Index from = codes == Codes::plain ? static_cast<Index>(shorts[i].at[j]) : column[i].at[j];
                    sum += converted<Sum<Vector>>(value[i].at[j]) * converted<Sum<Vector>>(x[from]);
                }
            } else {
                for (int j = 0; j < wide; ++j) {
                    if (first + j < begin || first + j >= end) continue;
                    sum += converted<Sum<Vector>>(values[first + j]) * converted<Sum<Vector>>(x[columns[first + j]]);
                }
            }
        }
    }
    return sum_of_lanes(sum, 32);
}

// Blocks take equal stretches of rows, and their warps turns in them. Dynamic shared memory holds x.
template<Codes codes, int wide, int deep, class Value, class Vector, class Index>
__global__ void __launch_bounds__(resident_threads)
    resident(const Index* __restrict__ offsets, const Index* __restrict__ columns, const unsigned short* __restrict__ code,
             const Value* __restrict__ values, const Vector* __restrict__ x, Vector* __restrict__ y, Sum<Vector> alpha, Sum<Vector> beta,
             long long rows, long long x_count) {
    extern __shared__ __align__(16) unsigned char storage[];
    Vector* const own_x = reinterpret_cast<Vector*>(storage);
    const long long first = rows * blockIdx.x / gridDim.x;
    const long long last = rows * (blockIdx.x + 1) / gridDim.x;
    long long row = first + threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    Index begin = 0;
    Index end = 0;
    if (row < last) {
        begin = offsets[row];
        end = offsets[row + 1];
        // Memory is to be busy while x comes from L2.
        constexpr int line = 128;
        for (Index k = begin + lane * (line / static_cast<int>(sizeof(Value))); k < end; k += 32 * line / static_cast<int>(sizeof(Value))) {
            prefetch(&values[k]);
            if (codes == Codes::plain) {
                prefetch(&code[k]);
            } else {
                prefetch(&columns[k]);
            }
        }
    }
    bring(own_x, x, x_count);
    __syncthreads();
    while (row < last) {
        const long long next = row + resident_threads / 32;
        Index next_begin = 0;
        Index next_end = 0;
        Vector old = Vector(); // on its way while the row is added up: a multiprocessor has few warps here to wait for it
        if (lane == 0 && beta != Sum<Vector>(0)) old = y[row];
        if (next < last) {
            next_begin = offsets[next];
            next_end = offsets[next + 1];
        }
        const Sum<Vector> sum = resident_row<codes, wide, deep>(columns, code, values, own_x, begin, end);
        if (lane == 0) finish(&y[row], old, sum, alpha, beta);
        row = next;
        begin = next_begin;
        end = next_end;
    }
}

} // namespace apod::spmv
