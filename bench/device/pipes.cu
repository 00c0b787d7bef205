// What single instructions cost: latency in a chain, clocks an SM needs for each when it is full, taken branches, code that is run for the
// first time, constants, and random reads. For the model's constants (docs/model.md).
//
//   nvcc -O3 -std=c++17 -arch=native bench/device/pipes.cu -o pipes && ./pipes > pipes.csv
//
// Columns: what, parameter, value, unit.
#include "event_timing.cuh"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

long long* clocks = nullptr; // managed

// One instruction after the other, each waiting for the one before (latency), or four chains and a full SM (rate).
#define KERNEL(name, code)                                                                                                                 \
    template<int Chains> __global__ void name(long long* clk, int* out, int rounds) {                                                      \
        __shared__ int words[1024];                                                                                                        \
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = 0;                                                                 \
        __syncthreads();                                                                                                                   \
        const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(words)) + threadIdx.x % 32 * 4;                               \
        int x[Chains];                                                                                                                     \
        for (int c = 0; c < Chains; ++c) x[c] = (threadIdx.x % 32 + c) * 4;                                                                \
        const long long begin = clock64();                                                                                                 \
        for (int r = 0; r < rounds; ++r) {                                                                                                 \
            _Pragma("unroll") for (int i = 0; i < 32; ++i) {                                                                               \
                _Pragma("unroll") for (int c = 0; c < Chains; ++c) { code; }                                                               \
            }                                                                                                                              \
        }                                                                                                                                  \
        __syncthreads();                                                                                                                   \
        const long long end = clock64();                                                                                                   \
        for (int c = 0; c < Chains; ++c)                                                                                                   \
            if (x[c] == 0x7ffffff1) *out = base;                                                                                           \
        if (threadIdx.x == 0) clk[blockIdx.x] = end - begin;                                                                               \
    }

KERNEL(lop3, asm volatile("xor.b32 %0, %0, 85;" : "+r"(x[c])))
KERNEL(add, asm volatile("add.s32 %0, %0, 85;" : "+r"(x[c])))
KERNEL(mul, asm volatile("mul.lo.s32 %0, %0, 85;" : "+r"(x[c])))
KERNEL(ffma, asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+r"(x[c])))
KERNEL(shift, asm volatile("shf.l.wrap.b32 %0, %0, %0, 7;" : "+r"(x[c])))
KERNEL(permute, asm volatile("prmt.b32 %0, %0, %0, 0x2103;" : "+r"(x[c])))
KERNEL(minimum, asm volatile("min.s32 %0, %0, 85;" : "+r"(x[c])))
KERNEL(exponential, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+r"(x[c])))
KERNEL(float_to_int, asm volatile("cvt.rzi.s32.f32 %0, %0;" : "+r"(x[c])))
KERNEL(int_to_float, asm volatile("cvt.rn.f32.s32 %0, %0;" : "+r"(x[c])))
KERNEL(population, asm volatile("popc.b32 %0, %0;" : "+r"(x[c])))
KERNEL(shuffle, asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(x[c])))
KERNEL(reduce, asm volatile("redux.sync.add.s32 %0, %0, 0xffffffff;" : "+r"(x[c])))
KERNEL(shared_load, asm volatile("{ .reg .u32 a; add.u32 a, %1, %0; ld.shared.u32 %0, [a]; }" : "+r"(x[c]) : "r"(base)))
KERNEL(ballot, asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "+r"(x[c])))
KERNEL(thread_index, asm volatile("{ .reg .u32 t; mov.u32 t, %%tid.x; add.u32 %0, %0, t; }" : "+r"(x[c])))

template<typename Kernel> double run(Kernel kernel, int threads, int rounds) {
    static int* out = nullptr;
    if (out == nullptr) cudaMalloc(&out, 4);
    for (int i = 0; i < 2; ++i) kernel<<<1, threads>>>(clocks, out, rounds);
    cudaDeviceSynchronize();
    return static_cast<double>(clocks[0]);
}

#define MEASURE(name)                                                                                                                      \
    {                                                                                                                                      \
        const double latency = (run(name<1>, 32, 40) - run(name<1>, 32, 20)) / 20 / 32;                                                    \
        const double rate = (run(name<4>, 1024, 20) - run(name<4>, 1024, 10)) / 10 / 32 / 4 / 32;                                          \
        std::printf("latency," #name ",%.2f,clk\nwarp instruction," #name ",%.3f,clk of the SM\n", latency, rate);                         \
    }

// A taken branch: the same instructions with and without one every four.
__global__ void branches(long long* clk, int* out, int rounds) {
    int x = threadIdx.x;
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) asm volatile("add.s32 %0, %0, 85;" : "+r"(x));
    const long long end = clock64();
    if (x == 0x7ffffff1) *out = x;
    if (threadIdx.x == 0) clk[blockIdx.x] = end - begin;
}

template<int N> __global__ void straight(long long* clk, float* out, float a) {
    float x = threadIdx.x, y = a;
    const long long begin = clock64();
#pragma unroll
    for (int i = 0; i < N / 2; ++i) {
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(a));
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(y) : "f"(a));
    }
    const long long end = clock64();
    if (x + y == 1234.5f) *out = x;
    if (threadIdx.x % 32 == 0) clk[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = end - begin;
}

void* flushed = nullptr;
void flush() {
    if (flushed == nullptr) cudaMalloc(&flushed, 256u << 20);
    cudaMemset(flushed, 1, 256u << 20);
}

template<int N> void code(int blocks, int threads) {
    static float* out = nullptr;
    if (out == nullptr) cudaMalloc(&out, 4);
    for (int round = 0; round < 3; ++round) { // loaded by the driver, then flushed from L2, then warm
        if (round == 1) flush();
        straight<N><<<blocks, threads>>>(clocks, out, 1.0f);
        cudaDeviceSynchronize();
        const long long most = *std::max_element(clocks, clocks + blocks * threads / 32);
        std::printf("%s code of %d instructions,%d x %d,%lld,clk\n",
                    round == 0   ? "new"
                    : round == 1 ? "cold"
                                 : "warm",
                    N, blocks, threads, most);
    }
}

__constant__ __align__(16) int table[1024];

__global__ void constants(int* out) {
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 1024; ++i) {
        sum += table[i];
        asm volatile("" : "+r"(sum));
    }
    if (sum == 0x7ffffff1) *out = sum;
}

// The same number of words, in pairs or fours.
template<typename T> __device__ int words_of(const T& v) {
    if constexpr (sizeof(T) == 8)
        return v.x + v.y;
    else
        return v.x + v.y + v.z + v.w;
}

template<typename T> __global__ void wide_constants(int* out) {
    int sum = 0;
#pragma unroll
    for (int i = 0; i < static_cast<int>(4096 / sizeof(T)); ++i) {
        sum += words_of(reinterpret_cast<const T*>(table)[i]);
        asm volatile("" : "+r"(sum));
    }
    if (sum == 0x7ffffff1) *out = sum;
}

__global__ void indexed_constants(long long* clk, int* out, int rounds) {
    int x = 0;
    const long long begin = clock64();
    for (int r = 0; r < rounds; ++r) x = table[x];
    const long long end = clock64();
    if (x == 0x7ffffff1) *out = x;
    if (threadIdx.x == 0) clk[0] = end - begin;
}

__global__ void fill(std::uint32_t* index, std::uint32_t words) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint32_t h = i * 0x9e3779b9u ^ i >> 7;
    h ^= h >> 16, h *= 0x7feb352du, h ^= h >> 15, h *= 0x846ca68bu, h ^= h >> 16;
    index[i] = h & (words - 1);
}

// Every lane reads a word somewhere; group: neighbouring lanes that read neighbouring words.
__global__ void gather(const std::uint32_t* index, const float* from, float* to, int group) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[index[i / group * group] / group * group + i % group];
}

void gathers() {
    constexpr std::uint32_t count = 1u << 23;
    std::uint32_t* index;
    float *from, *to;
    cudaMalloc(&index, count * 4);
    cudaMalloc(&from, 1u << 30);
    cudaMalloc(&to, count * 4);
    for (std::uint32_t words = 1u << 18; words <= 1u << 28; words <<= 2) {
        fill<<<count / 256, 256>>>(index, words);
        for (const int group : {1, 2, 4, 8, 32})
            std::printf("gather of %d groups of %d,%u KiB,%.2f,us\n", count, group, words / 256,
                        event_microseconds([&] { gather<<<count / 256, 256>>>(index, from, to, group); }));
    }
}

void many_constants(const char* how, void (*kernel)(int*), int* out) {
    for (const int threads : {32, 128, 256})
        std::printf("1024 constants%s and their sum,8 blocks of %d an SM,%.2f,us\n", how, threads,
                    (event_microseconds([&] { kernel<<<132 * 8 * 12, threads>>>(out); }) -
                     event_microseconds([&] { kernel<<<132 * 8 * 4, threads>>>(out); })) /
                        8);
}

} // namespace

int main() {
    cudaMallocManaged(&clocks, 1 << 16);
    int* out;
    cudaMalloc(&out, 4);
    code<256>(1, 32);
    code<1024>(1, 32);
    code<4096>(1, 32);
    code<16384>(1, 32);
    code<512>(1, 256);
    code<2048>(1, 256);
    code<8192>(1, 256);
    code<768>(132, 256);
    code<3072>(132, 256);
    code<12288>(132, 256);
    MEASURE(lop3)
    MEASURE(add)
    MEASURE(mul)
    MEASURE(ffma)
    MEASURE(shift)
    MEASURE(permute)
    MEASURE(minimum)
    MEASURE(exponential)
    MEASURE(float_to_int)
    MEASURE(int_to_float)
    MEASURE(population)
    MEASURE(shuffle)
    MEASURE(reduce)
    MEASURE(shared_load)
    MEASURE(ballot)
    MEASURE(thread_index)
    std::printf("loop of an addition and a taken branch,1 warp,%.2f,clk\n", (run(branches, 32, 2000) - run(branches, 32, 1000)) / 1000);
    std::printf("loop of an addition and a taken branch,32 warps,%.2f,clk\n",
                (run(branches, 1024, 2000) - run(branches, 1024, 1000)) / 1000);
    std::printf("indexed constant,1 warp,%.2f,clk\n", (run(indexed_constants, 32, 2000) - run(indexed_constants, 32, 1000)) / 1000);
    many_constants("", constants, out);
    many_constants(" in pairs", wide_constants<int2>, out);
    many_constants(" in fours", wide_constants<int4>, out);
    gathers();
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
