// Measures the constants of the performance model on a real GPU: launch and dispatch cost, latencies, L1, L2 and shared-memory rates by
// access pattern, barriers, atomics. One CSV row a figure.
//
//   nvcc -O3 -std=c++17 -arch=native bench/device/calibrate.cu -o calibrate && ./calibrate > calibration.csv
//
// Columns: group, name, parameter, value, unit. Clocks are SM clocks, read on the device.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(4);
}

void row(const char* group, const std::string& name, double parameter, double value, const char* unit) {
    std::printf("%s,%s,%.0f,%.4f,%s\n", group, name.c_str(), parameter, value, unit);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Nanoseconds between two events around `work`, median of `repeats` after a warm-up.
double event_ns(const std::function<void()>& work, int repeats = 21) {
    static cudaEvent_t begin = nullptr;
    static cudaEvent_t end = nullptr;
    if (begin == nullptr) {
        check(cudaEventCreate(&begin), "event");
        check(cudaEventCreate(&end), "event");
    }
    for (int i = 0; i < 3; ++i) work();
    check(cudaDeviceSynchronize(), "warm-up");
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        check(cudaEventRecord(begin), "record");
        work();
        check(cudaEventRecord(end), "record");
        check(cudaEventSynchronize(end), "synchronise");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin, end), "elapsed");
        times.push_back(milliseconds * 1e6);
    }
    return median(times);
}

__global__ void nothing() {}

void measure_launches() {
    row("launch", "event_pair_empty", 0, event_ns([] {}, 101), "ns");
    row("launch", "event_pair_one_launch", 1, event_ns([] { nothing<<<1, 32>>>(); }, 101), "ns");
    const auto many = [](int count) {
        return event_ns([count] {
            for (int i = 0; i < count; ++i) nothing<<<1, 32>>>();
        });
    };
    row("launch", "back_to_back", 1000, many(1000) / 1000, "ns");
    for (const int threads : {32, 256, 1024}) {
        for (const int blocks : {132, 1056, 8448, 67584, 540672}) {
            const double ns = event_ns([=] { nothing<<<blocks, threads>>>(); });
            row("dispatch", "empty_blocks_of_" + std::to_string(threads), blocks, ns, "ns");
        }
    }
}

__global__ void clock_rate(unsigned long long* result) {
    unsigned long long ns0 = 0;
    unsigned long long ns1 = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns0));
    const long long c0 = clock64();
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns1));
    } while (ns1 - ns0 < 2000000);
    result[0] = static_cast<unsigned long long>(clock64() - c0);
    result[1] = ns1 - ns0;
}

__global__ void chase(const std::uint64_t* start, int steps, unsigned long long* result) {
    const std::uint64_t* p = start;
    for (int i = 0; i < steps / 4; ++i) p = reinterpret_cast<const std::uint64_t*>(*p); // warm
    const long long begin = clock64();
    for (int i = 0; i < steps; ++i) p = reinterpret_cast<const std::uint64_t*>(*p);
    result[0] = static_cast<unsigned long long>(clock64() - begin) / steps;
    result[1] = reinterpret_cast<std::uint64_t>(p);
}

struct Buffers {
    char* data = nullptr; // data_bytes, a power of two
    std::size_t data_bytes = std::size_t{1} << 30;
    unsigned long long* result = nullptr;
    int* offsets = nullptr;
};

unsigned long long first_result(const Buffers& buffers) {
    unsigned long long value = 0;
    check(cudaMemcpy(&value, buffers.result, sizeof value, cudaMemcpyDeviceToHost), "result");
    return value;
}

void measure_latency(const Buffers& buffers) {
    std::uint64_t seed = 1;
    for (const std::size_t bytes :
         {std::size_t{16} << 10, std::size_t{1} << 20, std::size_t{8} << 20, std::size_t{24} << 20, std::size_t{512} << 20}) {
        const std::size_t stride = 128;
        const std::size_t count = bytes / stride;
        std::vector<std::uint32_t> order(count);
        for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::uint32_t>(i);
        for (std::size_t i = count - 1; i > 0; --i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            std::swap(order[i], order[(seed >> 33) % (i + 1)]);
        }
        std::vector<std::uint64_t> image(bytes / 8, 0);
        for (std::size_t i = 0; i < count; ++i)
            image[order[i] * (stride / 8)] = reinterpret_cast<std::uint64_t>(buffers.data) + order[(i + 1) % count] * stride;
        check(cudaMemcpy(buffers.data, image.data(), bytes, cudaMemcpyHostToDevice), "chain");
        const int steps = static_cast<int>(std::min<std::size_t>(count * 4, 40000));
        chase<<<1, 1>>>(reinterpret_cast<const std::uint64_t*>(buffers.data), steps, buffers.result);
        row("latency", "pointer_chase_bytes", static_cast<double>(bytes), static_cast<double>(first_result(buffers)), "clk");
    }
}

enum Operation { load_cached, load_l2, store, reduction, atomic_with_result };

// Every warp makes `count` requests; request r of warp w starts at (r * warps + w) * span and lane l adds offsets[l], modulo `mask` + 1.
template<Operation operation>
__global__ void requests(char* data, std::size_t mask, const int* offsets, std::size_t span, int count, unsigned long long* result) {
    const std::size_t warps = std::size_t(gridDim.x) * blockDim.x / 32;
    const std::size_t warp = (std::size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
    const int offset = offsets[threadIdx.x % 32];
    float sum = 0;
    const long long begin = clock64();
#pragma unroll 4
    for (int r = 0; r < count; ++r) {
        float* p = reinterpret_cast<float*>(data + (((std::size_t(r) * warps + warp) * span + offset) & mask));
        if (operation == load_cached) sum += __ldca(p);
        if (operation == load_l2) sum += __ldcg(p);
        if (operation == store) *p = 1.0f;
        if (operation == reduction) atomicAdd(reinterpret_cast<int*>(p), 1);
        if (operation == atomic_with_result) sum += atomicAdd(reinterpret_cast<int*>(p), 1);
    }
    if (sum == 12345.678f) result[1] = 1;
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) result[0] = static_cast<unsigned long long>(clock64() - begin);
}

struct LanePattern {
    const char* name;
    std::size_t span;
    std::function<int(int)> offset;
};

std::vector<LanePattern> global_patterns() {
    return {
        {"line_full", 128, [](int lane) { return lane * 4; }},
        {"4_lines_1_full_sector_each", 512, [](int lane) { return lane / 8 * 128 + lane % 8 * 4; }},
        {"8_lines_4_part_sectors_each", 1024, [](int lane) { return lane / 4 * 128 + lane % 4 * 32; }},
        {"16_lines_1_part_sector_each", 2048, [](int lane) { return lane % 16 * 128 + lane / 16 * 4; }},
        {"16_lines_2_part_sectors_each", 2048, [](int lane) { return lane / 2 * 128 + lane % 2 * 32; }},
        {"32_lines_1_part_sector_each", 4096, [](int lane) { return lane * 128; }},
        {"32_lines_4096_apart", 4, [](int lane) { return lane * 4096; }},
        {"32_lines_65536_apart", 4, [](int lane) { return lane * 65536; }},
        {"uniform", 128, [](int) { return 0; }},
    };
}

template<Operation operation> void measure_requests(const Buffers& buffers, const char* group, std::size_t bytes) {
    for (const LanePattern& pattern : global_patterns()) {
        int offsets[32];
        for (int lane = 0; lane < 32; ++lane) offsets[lane] = pattern.offset(lane);
        check(cudaMemcpy(buffers.offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice), "offsets");
        for (const int blocks : {1, 8, 66, 132, 264}) {
            const int count = 256;
            requests<operation><<<blocks, 1024>>>(buffers.data, bytes - 1, buffers.offsets, pattern.span, count, buffers.result);
            requests<operation><<<blocks, 1024>>>(buffers.data, bytes - 1, buffers.offsets, pattern.span, count, buffers.result);
            const double clocks = static_cast<double>(first_result(buffers));
            row(group, pattern.name, blocks, double(blocks) * 32 * count / clocks, "requests/clk");
        }
    }
}

__global__ void barriers(int count, unsigned long long* result) {
    const long long begin = clock64();
    for (int i = 0; i < count; ++i) __syncthreads();
    if (threadIdx.x == 0) result[0] = static_cast<unsigned long long>(clock64() - begin);
}

// A chain of dependent shared loads by each of the block's warps; lane l of a warp reads word l * stride of 32 * 32.
__global__ void shared_chain(int stride, int count, unsigned long long* result) {
    __shared__ int next[32 * 32];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) next[i] = i;
    __syncthreads();
    int at = threadIdx.x % 32 * stride % 1024;
    const long long begin = clock64();
    for (int i = 0; i < count; ++i) at = next[at];
    __syncthreads();
    if (threadIdx.x == 0) result[0] = static_cast<unsigned long long>(clock64() - begin);
    if (at == -1) result[1] = 1;
}

void measure_block(const Buffers& buffers) {
    for (const int threads : {32, 128, 256, 512, 1024}) {
        barriers<<<1, threads>>>(1000, buffers.result);
        row("barrier", "syncthreads_threads", threads, static_cast<double>(first_result(buffers)) / 1000, "clk");
    }
    for (const int threads : {32, 1024}) {
        for (const int stride : {0, 1, 2, 4, 8, 16, 32}) {
            shared_chain<<<1, threads>>>(stride, 1000, buffers.result);
            row("shared", "load_chain_" + std::to_string(threads) + "_threads_stride", stride,
                static_cast<double>(first_result(buffers)) / 1000, "clk");
        }
    }
}

// Loads and stores of float4, both in L2 or in DRAM: what one launch moves, by the bytes of the arrays.
__global__ void copy4(float4* out, const float4* in, std::size_t count) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) out[i] = in[i];
}
__global__ void copy1(float* out, const float* in, std::size_t count) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) out[i] = in[i];
}

void measure_copies(const Buffers& buffers) {
    for (std::size_t bytes = std::size_t{1} << 16; bytes <= std::size_t{1} << 29; bytes *= 4) {
        char* out = buffers.data + buffers.data_bytes / 2;
        const std::size_t n4 = bytes / 16;
        const std::size_t n1 = bytes / 4;
        const double ns4 = event_ns([=] {
            copy4<<<unsigned((n4 + 255) / 256), 256>>>(reinterpret_cast<float4*>(out), reinterpret_cast<const float4*>(buffers.data), n4);
        });
        const double ns1 = event_ns([=] {
            copy1<<<unsigned((n1 + 255) / 256), 256>>>(reinterpret_cast<float*>(out), reinterpret_cast<const float*>(buffers.data), n1);
        });
        const double ns1024 = event_ns([=] {
            copy1<<<unsigned((n1 + 1023) / 1024), 1024>>>(reinterpret_cast<float*>(out), reinterpret_cast<const float*>(buffers.data), n1);
        });
        row("copy", "float4_256_threads", static_cast<double>(bytes), ns4, "ns");
        row("copy", "float_256_threads", static_cast<double>(bytes), ns1, "ns");
        row("copy", "float_1024_threads", static_cast<double>(bytes), ns1024, "ns");
    }
}

} // namespace

int main() {
    Buffers buffers;
    check(cudaMalloc(&buffers.data, buffers.data_bytes), "memory");
    check(cudaMalloc(&buffers.result, 64), "memory");
    check(cudaMalloc(&buffers.offsets, 32 * sizeof(int)), "memory");
    check(cudaMemset(buffers.data, 0, buffers.data_bytes), "memset");
    std::printf("group,name,parameter,value,unit\n");
    clock_rate<<<1, 1>>>(buffers.result);
    unsigned long long clock[2];
    check(cudaMemcpy(clock, buffers.result, sizeof clock, cudaMemcpyDeviceToHost), "clock");
    row("clock", "sm", 0, 1000.0 * clock[0] / clock[1], "MHz");
    measure_launches();
    measure_latency(buffers);
    measure_block(buffers);
    measure_requests<load_cached>(buffers, "load_l1", std::size_t{128} << 10);
    measure_requests<load_l2>(buffers, "load_l2", std::size_t{16} << 20);
    measure_requests<store>(buffers, "store_l2", std::size_t{16} << 20);
    measure_requests<load_l2>(buffers, "load_dram", std::size_t{1} << 30);
    measure_requests<store>(buffers, "store_dram", std::size_t{1} << 30);
    measure_requests<reduction>(buffers, "reduction", std::size_t{16} << 20);
    measure_requests<atomic_with_result>(buffers, "atomic", std::size_t{16} << 20);
    measure_copies(buffers);
    check(cudaDeviceSynchronize(), "end");
    return 0;
}
