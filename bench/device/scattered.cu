// What single accesses cost that lie anywhere: random reads and writes of words of 4 to 16 bytes in L2 and DRAM, local memory that lanes
// index by data, indexed constants, a thread alone with a long row, and printf. For the model's constants (docs/model.md).
//
//   nvcc -O3 -std=c++17 -arch=native bench/device/scattered.cu -o scattered && ./scattered > scattered.csv
//   ncu --clock-control none --csv --page raw --metrics gpu__time_duration.sum,... ./scattered alone     (what must be profiled)
//
// Columns: what, parameter, value, unit.
#include "event_timing.cuh"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

__device__ std::uint32_t anywhere(std::uint32_t i, std::uint32_t mask) {
    std::uint32_t h = i * 0x9e3779b9u ^ i >> 7;
    h ^= h >> 16, h *= 0x7feb352du, h ^= h >> 15, h *= 0x846ca68bu, h ^= h >> 16;
    return h & mask;
}

// Four words a thread, so that many are under way. The sum keeps the loads.
template<typename T> __global__ void read_anywhere(const T* from, int* to, std::uint32_t mask) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    const std::uint32_t all = gridDim.x * blockDim.x;
    T words[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) words[k] = from[anywhere(i + k * all, mask)];
    int sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += *reinterpret_cast<const int*>(&words[k]);
    if (sum == 0x7ffffff1) *to = sum;
}

template<typename T> __global__ void write_anywhere(T* to, std::uint32_t mask) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    const std::uint32_t all = gridDim.x * blockDim.x;
    T word{};
#pragma unroll
    for (int k = 0; k < 4; ++k) to[anywhere(i + k * all, mask)] = word;
}

constexpr std::uint32_t count = 1u << 22; // accesses

template<typename T> void anywhere_of(const char* name, void* memory) {
    for (std::uint64_t bytes = 1u << 20; bytes <= std::uint64_t{4} << 30; bytes <<= 2) {
        const auto mask = static_cast<std::uint32_t>(bytes / sizeof(T) - 1);
        T* at = static_cast<T*>(memory);
        std::printf("read %s anywhere,%u KiB,%.2f,us for %u\n", name, static_cast<unsigned>(bytes >> 10),
                    event_microseconds([&] { read_anywhere<T><<<count / 1024, 256>>>(at, static_cast<int*>(memory), mask); }), count);
        std::printf("write %s anywhere,%u KiB,%.2f,us for %u\n", name, static_cast<unsigned>(bytes >> 10),
                    event_microseconds([&] { write_anywhere<T><<<count / 1024, 256>>>(at, mask); }), count);
    }
}

// Local memory whose words lanes choose for themselves.
template<int Words> __global__ void local_anywhere(int* out, int rounds) {
    int mine[Words];
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < Words; ++k) mine[k] = k;
    std::uint32_t state = i;
    for (int k = 0; k < rounds; ++k) {
        state = state * 1664525u + 1013904223u;
        mine[state >> 20 & (Words - 1)] = k;
    }
    out[i] = mine[i & (Words - 1)];
}

template<int Words> void locals(int* out) {
    for (const int blocks : {132, 528, 2112}) {
        const auto time = [&](int rounds) { return event_microseconds([&] { local_anywhere<Words><<<blocks, 128>>>(out, rounds); }); };
        const double few = time(64);
        const double many = time(320);
        std::printf("256 local stores anywhere in %d words,%d x 128,%.2f,us\n", Words, blocks, many - few);
    }
}

__constant__ __align__(16) int table[16384];

// Uniform, and from a place that is computed: LDC of 4, 8 and 16 bytes.
template<typename T> __global__ void constants_at(int* out, int rounds, int step) {
    int sum = 0;
    int at = step;
    for (int k = 0; k < rounds; ++k) {
#pragma unroll
        for (int u = 0; u < 8; ++u) {
            const T word = reinterpret_cast<const T*>(table)[at + u];
            sum += *reinterpret_cast<const int*>(&word);
            if constexpr (sizeof(T) > 4) sum += reinterpret_cast<const int*>(&word)[sizeof(T) / 4 - 1];
        }
        at = at + 8 < 512 ? at + 8 : step;
    }
    if (sum == 0x7ffffff1) *out = sum;
}

template<typename T> void constants(int* out) {
    for (const int threads : {32, 256, 1024}) {
        const auto time = [&](int rounds) {
            return event_microseconds([&] { constants_at<T><<<132 * 8 * 32 / std::max(threads, 128), threads>>>(out, rounds, 0); });
        };
        std::printf("8192 indexed constants of %d B,%d blocks of %d,%.2f,us\n", static_cast<int>(sizeof(T)),
                    132 * 8 * 32 / std::max(threads, 128), threads, time(2048) - time(1024));
    }
}

struct Row {
    const int* columns;
    const float* values;
    const float* x;
    int entries;
};

__global__ void long_row(float* y, Row row) {
    float sum = 0;
    for (int k = threadIdx.x; k < row.entries; k += blockDim.x) sum += row.values[k] * row.x[row.columns[k]];
    y[threadIdx.x] = sum;
}

__global__ void prints(int rounds) {
    for (int k = 0; k < rounds; ++k) printf("[%d, %d]:\t\tvalue is: %d\n", static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x), k);
}

__global__ void columns_of(int* columns, int n, std::uint32_t mask) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) columns[i] = static_cast<int>(anywhere(i, mask));
}

// Each is one launch, for a profiler with empty caches.
void alone(void* memory) {
    auto* words = static_cast<int*>(memory);
    auto* floats = static_cast<float*>(memory);
    for (const std::uint32_t mask : {0x1fffu, 0xfffffu}) {
        columns_of<<<1, 1024>>>(words, 65536, mask);
        for (const int threads : {1, 16, 32})
            for (const int entries : {1000, 4000})
                long_row<<<1, threads>>>(floats + (64 << 20), {words, floats + (1 << 20), floats + (8 << 20), entries});
    }
    for (const auto& [blocks, threads] :
         std::vector<std::pair<int, int>>{{1, 1}, {1, 2}, {1, 8}, {1, 32}, {4, 8}, {1, 256}, {4, 32}, {32, 8}, {132, 32}})
        prints<<<blocks, threads>>>(1);
    prints<<<1, 8>>>(4);
    prints<<<1, 32>>>(4);
}

} // namespace

int main(int argc, char** argv) {
    void* memory = nullptr;
    if (cudaMalloc(&memory, std::uint64_t{4} << 30) != cudaSuccess) return 1;
    cudaMemset(memory, 0, std::uint64_t{4} << 30);
    if (argc > 1 && std::strcmp(argv[1], "alone") == 0) {
        alone(memory);
    } else {
        anywhere_of<int>("4 B", memory);
        anywhere_of<int2>("8 B", memory);
        anywhere_of<int4>("16 B", memory);
        locals<64>(static_cast<int*>(memory));
        locals<256>(static_cast<int*>(memory));
        constants<int>(static_cast<int*>(memory));
        constants<int2>(static_cast<int*>(memory));
        constants<int4>(static_cast<int*>(memory));
    }
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
