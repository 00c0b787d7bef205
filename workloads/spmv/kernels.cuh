// Kernels for y = alpha A x + beta y, A in CSR, from the obvious to the fast: those of ladder.toml, and of the library. Sums are made in
// Sum<Vector>. beta == 0: y is not read. None uses atomic operations on values, so that each gives the same bits in every run.
#pragma once

#include <cuda_fp16.h>

namespace apod::spmv {

template<class Vector> struct SumOf { using type = Vector; };
template<> struct SumOf<__half> { using type = float; };
template<class Vector> using Sum = typename SumOf<Vector>::type;

template<class To> __device__ inline To converted(float value) { return static_cast<To>(value); }
template<class To> __device__ inline To converted(double value) { return static_cast<To>(value); }
template<class To> __device__ inline To converted(__half value) { return static_cast<To>(__half2float(value)); }
template<> __device__ inline __half converted<__half>(float value) { return __float2half_rn(value); }

// `old`: what y held, where beta is not 0.
template<class Vector> __device__ inline void finish(Vector* y, Vector old, Sum<Vector> sum, Sum<Vector> alpha, Sum<Vector> beta) {
    const Sum<Vector> product = alpha * sum;
    *y = converted<Vector>(beta == Sum<Vector>(0) ? product : product + beta * converted<Sum<Vector>>(old));
}

template<class Vector> __device__ inline void finish(Vector* y, Sum<Vector> sum, Sum<Vector> alpha, Sum<Vector> beta) {
    finish(y, beta == Sum<Vector>(0) ? Vector() : *y, sum, alpha, beta);
}

// The sum over groups of `lanes` neighbouring lanes, in each first lane. The order is that of a tree.
template<class Number> __device__ inline Number sum_of_lanes(Number value, int lanes) {
    for (int step = lanes / 2; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step, lanes);
    return value;
}

__device__ inline long long thread_number() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }

// A thread for each row. Neighbouring threads read addresses a row apart, and a warp waits for its longest row.
template<class Value, class Vector, class Index>
__global__ void thread_per_row(const Index* offsets, const Index* columns, const Value* values, const Vector* x, Vector* y,
                               Sum<Vector> alpha, Sum<Vector> beta, long long rows) {
    const long long row = thread_number();
    if (row >= rows) return;
    Sum<Vector> sum = 0;
    for (Index k = offsets[row]; k < offsets[row + 1]; ++k) {
        sum += converted<Sum<Vector>>(values[k]) * converted<Sum<Vector>>(x[columns[k]]);
    }
    finish(&y[row], sum, alpha, beta);
}

// A warp for each row: its lanes read neighbours, and add up their sums in shared memory. Blocks of 256 threads.
template<class Value, class Vector, class Index>
__global__ void __launch_bounds__(256) warp_per_row_shared(const Index* offsets, const Index* columns, const Value* values, const Vector* x,
                                                           Vector* y, Sum<Vector> alpha, Sum<Vector> beta, long long rows) {
    __shared__ Sum<Vector> sums[256];
    const long long row = thread_number() / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) return;
    Sum<Vector> sum = 0;
    for (Index k = offsets[row] + lane; k < offsets[row + 1]; k += 32) {
        sum += converted<Sum<Vector>>(values[k]) * converted<Sum<Vector>>(x[columns[k]]);
    }
    sums[threadIdx.x] = sum;
    for (int step = 16; step > 0; step /= 2) {
        __syncwarp();
        if (lane < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    }
    if (lane == 0) finish(&y[row], sums[threadIdx.x], alpha, beta);
}

// A warp for each row, sums through shuffles, everything that is only read through the read-only path. __ldg is volatile assembly (since
// CUDA 13), which the compiler leaves in its order: as it compiles this, a lane has two or three reads on their way instead of eight. On an
// H200 that gains a fifth where many warps wait for memory anyway, and takes twice as long where the warp of a long row waits alone.
template<class Value, class Vector, class Index>
__global__ void __launch_bounds__(256)
    read_only_warp_per_row(const Index* __restrict__ offsets, const Index* __restrict__ columns, const Value* __restrict__ values,
                           const Vector* __restrict__ x, Vector* __restrict__ y, Sum<Vector> alpha, Sum<Vector> beta, long long rows) {
    const long long row = thread_number() / 32;
    const int lane = threadIdx.x % 32;
    Sum<Vector> sum = 0;
    if (row < rows) {
        const Index last = __ldg(&offsets[row + 1]);
        for (Index k = __ldg(&offsets[row]) + lane; k < last; k += 32) {
            sum += converted<Sum<Vector>>(__ldg(&values[k])) * converted<Sum<Vector>>(__ldg(&x[__ldg(&columns[k])]));
        }
    }
    sum = sum_of_lanes(sum, 32);
    if (row < rows && lane == 0) finish(&y[row], sum, alpha, beta);
}

// `lanes` lanes for each row; reads of several entries are on their way at once.
template<class Value, class Vector, class Index, int lanes>
__global__ void __launch_bounds__(256)
    group_per_row(const Index* __restrict__ offsets, const Index* __restrict__ columns, const Value* __restrict__ values,
                  const Vector* __restrict__ x, Vector* __restrict__ y, Sum<Vector> alpha, Sum<Vector> beta, long long rows) {
    const long long row = thread_number() / lanes;
    const int lane = threadIdx.x % lanes;
    Sum<Vector> sum = 0;
    if (row < rows) {
        const Index last = offsets[row + 1];
        for (Index k = offsets[row] + lane; k < last; k += lanes) {
            sum += converted<Sum<Vector>>(values[k]) * converted<Sum<Vector>>(x[columns[k]]);
        }
    }
    sum = sum_of_lanes(sum, lanes);
    if (row < rows && lane == 0) finish(&y[row], sum, alpha, beta);
}

// `count` neighbours of an array as one piece, so that they travel in accesses of up to 16 bytes.
template<class Element, int count> struct alignas(sizeof(Element) * count) Pack { Element at[count]; };

// `lanes` lanes for each row, four neighbouring entries each at once. They begin at a multiple of four entries, so that these are accesses
// of 16 bytes; what of the first and the last four is not the row's is left out. The arrays begin at 16 bytes.
template<class Value, class Vector, class Index, int lanes>
__global__ void __launch_bounds__(256)
    aligned_group_per_row(const Index* __restrict__ offsets, const Index* __restrict__ columns, const Value* __restrict__ values,
                          const Vector* __restrict__ x, Vector* __restrict__ y, Sum<Vector> alpha, Sum<Vector> beta, long long rows) {
    constexpr int wide = 4;
    const long long row = thread_number() / lanes;
    const int lane = threadIdx.x % lanes;
    Sum<Vector> sum = 0;
    if (row < rows) {
        const Index first = offsets[row];
        const Index last = offsets[row + 1];
        for (Index k = first / wide * wide + wide * lane; k < last; k += wide * lanes) {
            if (k >= first && k + wide <= last) {
                const auto value = *reinterpret_cast<const Pack<Value, wide>*>(&values[k]);
                const auto column = *reinterpret_cast<const Pack<Index, wide>*>(&columns[k]);
#pragma unroll
                for (int i = 0; i < wide; ++i) sum += converted<Sum<Vector>>(value.at[i]) * converted<Sum<Vector>>(x[column.at[i]]);
            } else {
                for (Index j = k < first ? first : k; j < k + wide && j < last; ++j) {
                    sum += converted<Sum<Vector>>(values[j]) * converted<Sum<Vector>>(x[columns[j]]);
                }
            }
        }
    }
    sum = sum_of_lanes(sum, lanes);
    if (row < rows && lane == 0) finish(&y[row], sum, alpha, beta);
}

template<int bytes> struct WordOf;
template<> struct WordOf<2> { using type = unsigned short; };
template<> struct WordOf<4> { using type = unsigned int; };
template<> struct WordOf<8> { using type = uint2; };
template<> struct WordOf<16> { using type = uint4; };

// Reads what is needed once: caches may drop it first. `from` is aligned to the pack's size, up to 16 bytes.
template<int count, class Element> __device__ inline Pack<Element, count> load_once(const Element* from) {
    constexpr int bytes = sizeof(Element) * count;
    constexpr int step = bytes < 16 ? bytes : 16;
    using Word = typename WordOf<step>::type;
    Pack<Element, count> pack;
#pragma unroll
    for (int i = 0; i < bytes / step; ++i) reinterpret_cast<Word*>(&pack)[i] = __ldcs(reinterpret_cast<const Word*>(from) + i);
    return pack;
}

// The sum over the block in its first thread; `scratch` holds a number for each warp. Every thread must come.
template<class Number> __device__ inline Number sum_of_block(Number value, Number* scratch) {
    value = sum_of_lanes(value, 32);
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < blockDim.x / 32 ? scratch[threadIdx.x] : Number(0);
        value = sum_of_lanes(value, 32);
    }
    return value;
}

} // namespace apod::spmv
