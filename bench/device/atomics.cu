// What atomics cost: how often an address, a sector and a line can be updated, with and without the old value, in global and in shared
// memory. For the model's constants (docs/model.md).
//
//   nvcc -O3 -std=c++17 -arch=native bench/device/atomics.cu -o atomics && ./atomics > atomics.csv
//
// Columns: space, operation, pattern, addresses, blocks, warp_requests, microseconds (median of 15, events).
#include "event_timing.cuh"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int threads = 256;
constexpr int rounds = 16;

enum Operation { red_int, atom_int, red_float, atom_cas };
enum Pattern { random_lanes, one_per_warp, contiguous, same_in_warp };

__device__ std::uint32_t hash(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

template<int Op, class Counter> __device__ void update(Counter* at, int& sink) {
    if constexpr (Op == red_int) atomicAdd(reinterpret_cast<int*>(at), 1);
    if constexpr (Op == atom_int) sink += atomicAdd(reinterpret_cast<int*>(at), 1);
    if constexpr (Op == red_float) atomicAdd(reinterpret_cast<float*>(at), 1.0f);
    if constexpr (Op == atom_cas) sink += atomicCAS(reinterpret_cast<int*>(at), 1, 2);
}

// The word that a lane updates in a round; `addresses` is a power of two.
template<int P> __device__ std::uint32_t target(std::uint32_t warp, std::uint32_t lane, std::uint32_t round, std::uint32_t addresses) {
    const std::uint32_t h = hash(warp * rounds + round + 1);
    if (P == random_lanes) return hash(h + lane * 0x9e3779b9u) & (addresses - 1);
    if (P == contiguous) return (h * 32 + lane) & (addresses - 1);
    return h & (addresses - 1);
}

template<int Op, int P> __global__ void global_kernel(int* counters, std::uint32_t addresses, int* out) {
    const std::uint32_t thread = blockIdx.x * threads + threadIdx.x;
    int sink = 0;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const std::uint32_t at = target<P>(thread / 32, thread % 32, round, addresses);
        if (P != one_per_warp || thread % 32 == 0) update<Op>(counters + at, sink);
    }
    if (sink == 0x7fffffff) *out = sink;
}

template<int Op, int P> __global__ void shared_kernel(int* counters, std::uint32_t addresses, int* out) {
    __shared__ int words[8192];
    for (int i = threadIdx.x; i < 8192; i += threads) words[i] = 0;
    __syncthreads();
    const std::uint32_t thread = blockIdx.x * threads + threadIdx.x;
    int sink = 0;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const std::uint32_t at = target<P>(thread / 32, thread % 32, round, addresses);
        if (P != one_per_warp || thread % 32 == 0) update<Op>(words + at, sink);
    }
    __syncthreads();
    if (sink == 0x7fffffff || words[threadIdx.x] == 0x7fffffff) *out = sink + counters[0];
}

const char* operation_name(int op) {
    return op == red_int ? "red.s32" : op == atom_int ? "atom.s32" : op == red_float ? "red.f32" : "atom.cas";
}
const char* pattern_name(int p) {
    return p == random_lanes ? "random" : p == one_per_warp ? "one lane" : p == contiguous ? "contiguous" : "same";
}

template<int Op, int P> void sweep(int* counters, int* out) {
    for (const int blocks : {132, 132 * 32})
        for (std::uint32_t addresses = 1; addresses <= 1u << 22; addresses *= 4) {
            const float us = event_microseconds([&] { global_kernel<Op, P><<<blocks, threads>>>(counters, addresses, out); }, 15, 3);
            std::printf("global,%s,%s,%u,%d,%d,%.3f\n", operation_name(Op), pattern_name(P), addresses, blocks,
                        blocks * threads / 32 * rounds, us);
        }
    for (std::uint32_t addresses = 1; addresses <= 8192; addresses *= 4) {
        const int blocks = 132 * 32;
        const float us = event_microseconds([&] { shared_kernel<Op, P><<<blocks, threads>>>(counters, addresses, out); }, 15, 3);
        std::printf("shared,%s,%s,%u,%d,%d,%.3f\n", operation_name(Op), pattern_name(P), addresses, blocks, blocks * threads / 32 * rounds,
                    us);
    }
}

template<int Op> void all_patterns(int* counters, int* out) {
    sweep<Op, random_lanes>(counters, out);
    sweep<Op, one_per_warp>(counters, out);
    sweep<Op, contiguous>(counters, out);
    sweep<Op, same_in_warp>(counters, out);
}

} // namespace

int main() {
    int* counters = nullptr;
    int* out = nullptr;
    if (cudaMalloc(&counters, sizeof(int) << 22) != cudaSuccess || cudaMalloc(&out, 4) != cudaSuccess) return 1;
    cudaMemset(counters, 0, sizeof(int) << 22);
    std::puts("space,operation,pattern,addresses,blocks,warp_requests,microseconds");
    all_patterns<red_int>(counters, out);
    all_patterns<atom_int>(counters, out);
    all_patterns<red_float>(counters, out);
    all_patterns<atom_cas>(counters, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
