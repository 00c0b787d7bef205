// What a block costs beside its work: how fast the chip starts and ends blocks of several shapes whose data is in L2, how far their parts
// overlap, and what reads of scattered lines cost one SM and all of them. For the model's constants (docs/model.md).
//
//   nvcc -O3 -std=c++17 -arch=native bench/device/blocks.cu -o blocks && ./blocks > blocks.csv
//
// Columns: what, parameter, value, unit.
#include "event_timing.cuh"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr std::uint32_t words_in_l2 = 1u << 21; // 8 MiB

__device__ std::uint32_t hash(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

__global__ void nothing(float*, const float*) {}
__global__ void loads(float* out, const float* in) {
    const float v = in[(blockIdx.x * blockDim.x + threadIdx.x) % words_in_l2];
    if (v == 1234.5f) out[0] = v;
}
__global__ void stores(float* out, const float*) { out[(blockIdx.x * blockDim.x + threadIdx.x) % words_in_l2] = 1; }
__global__ void copies(float* out, const float* in) {
    const std::uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) % words_in_l2;
    out[i] = in[i];
}
__global__ void through_shared(float* out, const float* in) {
    __shared__ float room[1024];
    const std::uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) % words_in_l2;
    room[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = room[blockDim.x - 1 - threadIdx.x];
}
// Conflicts of a tile's columns: 32 wavefronts a warp for 32 columns, 16 for 16.
template<int Columns> __global__ void through_columns(float* out, const float* in) {
    __shared__ float room[1024];
    const std::uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) % words_in_l2;
    const int rows = blockDim.x / Columns;
    room[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = room[threadIdx.x % rows * Columns + threadIdx.x / rows];
}
__global__ void barriers(float* out, const float*) {
    for (int k = 0; k < 8; ++k) __syncthreads();
    if (blockIdx.x == 0x7fffffff) out[0] = 1;
}
__global__ void spin(float* out, const float*) {
    float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
#pragma unroll
    for (int k = 0; k < 64; ++k) a = a * b + 1, b = b * c + 1, c = c * d + 1, d = d * a + 1;
    if (a + b + c + d == 1234.5f) out[0] = a;
}

void pace(const char* name, void (*kernel)(float*, const float*), float* out, const float* in) {
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
        const int blocks = 1 << 16;
        const double first = event_microseconds([&] { kernel<<<blocks, threads>>>(out, in); });
        const double second = event_microseconds([&] { kernel<<<3 * blocks, threads>>>(out, in); });
        std::printf("block of %s,%d,%.3f,ns a block of the chip\n", name, threads, (second - first) * 1000 / (2 * blocks));
    }
}

// A warp's request is for `lines` lines; `Random` or one after the other.
template<bool Random> __global__ void lines(float* out, const float* in, std::uint32_t mask, int each, int rounds) {
    const std::uint32_t lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const std::uint32_t warps = gridDim.x * blockDim.x / 32;
    float sum = 0;
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int u = 0; u < 4; ++u) {
            const std::uint32_t line = ((r * 4 + u) * warps + warp) * (32 / each) + lane / each;
            const std::uint32_t at = (Random ? hash(line) : line) & mask;
            sum += in[at * 32 + (Random ? hash(line * 5) & 24 : 0) + lane % each % 8];
        }
    }
    if (sum == 1234.5f) out[0] = sum;
}

void reads(float* out, const float* in) {
    for (const int blocks : {1, 132, 528})
        for (const std::uint32_t kib : {512u, 8192u, 32768u, 262144u, 1048576u})
            for (const int each : {1, 2, 4, 8, 32}) {
                const int rounds = 16;
                const std::uint32_t mask = kib * 8 - 1;
                const auto us = [&](bool random, int times) {
                    return event_microseconds([&] {
                        if (random)
                            lines<true><<<blocks, 512>>>(out, in, mask, each, times);
                        else
                            lines<false><<<blocks, 512>>>(out, in, mask, each, times);
                    });
                };
                for (const bool random : {false, true}) {
                    const double ns = (us(random, 2 * rounds) - us(random, rounds)) * 1000;
                    std::printf("%s lines of %u KiB by %d blocks of 512,%d lanes a line,%.4f,ns a line\n", random ? "random" : "regular",
                                kib, blocks, each, ns / (4.0 * rounds * blocks * 16 * (32 / each)));
                }
            }
}

// Arrays of a thread's own: what of them reaches L2 and DRAM a profiler says.
template<int Words> __global__ void local_words(int* out, const int* in, int rounds) {
    int mine[Words];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < Words; ++k) mine[k] = k + rounds;
    int at = in[i % 1024] & (Words - 1);
    for (int k = 0; k < rounds; ++k) {
        mine[at] += k;
        at = (at + 7) & (Words - 1);
    }
    out[i] = mine[at] + mine[(at + 1) & (Words - 1)];
}

template<int Words> void local_memory(float* out, const float* in) {
    for (const int blocks : {132, 1056, 4224})
        for (const int rounds : {Words / 4, 2 * Words})
            std::printf("local array of %d words by %d blocks of 256,%d rounds,%.2f,us\n", Words, blocks, rounds, event_microseconds([&] {
                            local_words<Words><<<blocks, 256>>>(reinterpret_cast<int*>(out), reinterpret_cast<const int*>(in), rounds);
                        }));
}

} // namespace

// "local": only the local arrays, for a profiler.
int main(int count, char**) {
    float *in, *out;
    if (cudaMalloc(&in, 1u << 30) != cudaSuccess || cudaMalloc(&out, 64u << 20) != cudaSuccess) return 1;
    cudaMemset(in, 0, 1u << 30);
    if (count > 1) {
        local_memory<64>(out, in);
        local_memory<1024>(out, in);
        return cudaDeviceSynchronize() != cudaSuccess;
    }
    pace("nothing", nothing, out, in);
    pace("a load", loads, out, in);
    pace("a store", stores, out, in);
    pace("a copy", copies, out, in);
    pace("a copy through shared memory", through_shared, out, in);
    pace("a copy through columns of 16", through_columns<16>, out, in);
    pace("a copy through columns of 32", through_columns<32>, out, in);
    pace("8 barriers", barriers, out, in);
    pace("256 multiplications", spin, out, in);
    reads(out, in);
    local_memory<64>(out, in);
    local_memory<1024>(out, in);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
