// Timing and checking for transpose_variants.cu and transpose_sizes.cu.
//
// hot: a CUDA graph of launches that all move the same matrix (what fits L2 stays there). cold: the launches of the graph go round over
// enough matrices that half a gigabyte is moved before one comes again: what is read comes from DRAM. Both include what a launch costs
// after another one in a graph, about a microsecond, for copies as for transposes. The median of five graphs. Under an emulator
// (APOD_NO_TIMES) nothing is timed.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace transpose_bench {

inline void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(4);
}

inline cudaStream_t stream() {
    static cudaStream_t const made = [] {
        cudaStream_t stream = nullptr;
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
        return stream;
    }();
    return made;
}

// Memory for inputs and outputs, taken once: the next matrix begins where the last one ended, and round again.
class Arena {
public:
    explicit Arena(std::size_t bytes) : bytes_(bytes) {
        check(cudaMalloc(&in_, bytes), "memory for inputs");
        check(cudaMalloc(&out_, bytes), "memory for outputs");
    }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena() {
        cudaFree(in_);
        cudaFree(out_);
    }
    [[nodiscard]] std::size_t matrices(std::size_t matrix_bytes) const { return bytes_ / rounded(matrix_bytes); }
    [[nodiscard]] const char* in(std::size_t matrix_bytes, std::size_t index) const { return in_ + index * rounded(matrix_bytes); }
    [[nodiscard]] char* out(std::size_t matrix_bytes, std::size_t index) const { return out_ + index * rounded(matrix_bytes); }
    [[nodiscard]] char* inputs() const { return in_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    static std::size_t rounded(std::size_t bytes) { return (bytes + 511) / 512 * 512; }
    std::size_t bytes_;
    char* in_ = nullptr;
    char* out_ = nullptr;
};

using Move = std::function<void(void* out, const void* in)>; // queues one launch on stream()

struct Times {
    double hot_us = 0;
    double cold_us = 0;
};

inline double elapsed_us(const std::function<void()>& work) {
    static cudaEvent_t start = nullptr;
    static cudaEvent_t stop = nullptr;
    if (start == nullptr) {
        check(cudaEventCreate(&start), "event");
        check(cudaEventCreate(&stop), "event");
    }
    check(cudaEventRecord(start, stream()), "record");
    work();
    check(cudaEventRecord(stop, stream()), "record");
    check(cudaEventSynchronize(stop), "a kernel");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, stop), "elapsed");
    return 1000.0 * ms;
}

// The time of one of `calls` calls, which are given their number.
inline double graph_us(int calls, const std::function<void(int)>& call) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal), "capture");
    for (int i = 0; i < calls; ++i) call(i);
    check(cudaStreamEndCapture(stream(), &graph), "capture");
    check(cudaGraphInstantiate(&executable, graph, 0), "graph");
    check(cudaGraphLaunch(executable, stream()), "graph");
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) times.push_back(elapsed_us([&] { check(cudaGraphLaunch(executable, stream()), "graph"); }) / calls);
    std::sort(times.begin(), times.end());
    check(cudaGraphExecDestroy(executable), "graph");
    check(cudaGraphDestroy(graph), "graph");
    return times[2];
}

inline Times time(const Move& move, const Arena& arena, std::size_t matrix_bytes) {
    if (std::getenv("APOD_NO_TIMES") != nullptr) return {1, 1};
    const auto once = [&](int i) { move(arena.out(matrix_bytes, i), arena.in(matrix_bytes, i)); };
    once(0);
    const double first = elapsed_us([&] { once(0); });
    const int calls = std::clamp(static_cast<int>(2000 / std::max(first, 1.0)), 2, 200);
    const std::size_t round = 512ULL * 1024 * 1024 / (2 * matrix_bytes) + 1;
    const int matrices = static_cast<int>(std::clamp<std::size_t>(round, 1, arena.matrices(matrix_bytes)));
    Times times;
    times.hot_us = graph_us(calls, [&](int) { once(0); });
    times.cold_us = graph_us(std::max(calls, matrices), [&](int i) { once(i % matrices); });
    return times;
}

// 16-byte accesses, one a thread: what memory can do. The ladder's yardstick, for any number of bytes.
__global__ void copy_bytes(char* __restrict__ out, const char* __restrict__ in, std::size_t bytes) {
    const std::size_t first = 16 * (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x);
    if (first + 16 <= bytes) {
        *reinterpret_cast<uint4*>(out + first) = *reinterpret_cast<const uint4*>(in + first);
    } else {
        for (std::size_t i = first; i < bytes; ++i) out[i] = in[i];
    }
}

inline void copy(void* out, const void* in, std::size_t bytes) {
    copy_bytes<<<static_cast<unsigned>((bytes + 4095) / 4096), 256, 0, stream()>>>(static_cast<char*>(out), static_cast<const char*>(in),
                                                                                   bytes);
}

// The same with four accesses on their way in each thread.
__global__ void copy_bytes_by_four(char* __restrict__ out, const char* __restrict__ in, std::size_t bytes) {
    const std::size_t first = 16 * (1024 * static_cast<std::size_t>(blockIdx.x) + threadIdx.x);
    uint4 value[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (first + 4096 * i + 16 <= bytes) value[i] = *reinterpret_cast<const uint4*>(in + first + 4096 * i);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const std::size_t place = first + 4096 * i;
        if (place + 16 <= bytes) {
            *reinterpret_cast<uint4*>(out + place) = value[i];
        } else {
            for (std::size_t j = place; j < bytes && j < place + 16; ++j) out[j] = in[j];
        }
    }
}

__global__ void nothing() {}

__device__ inline unsigned mixed(std::size_t i) { return static_cast<unsigned>((i * 0x9e3779b97f4a7c15ULL) >> 32); }

__global__ void fill_bytes(unsigned* to, std::size_t words) {
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
        to[i] = (mixed(i) & 0xbfffffffU) | 0x20000000U; // as float or double an ordinary number, which arithmetic with 1 and 0 leaves alone
    }
}

// Counts the bytes of `out` that are not those of the transposed `in`.
__global__ void count_wrong(const unsigned char* out, const unsigned char* in, long long rows, long long columns, int element,
                            unsigned long long* wrong) {
    const long long bytes = rows * columns * element;
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < bytes;
         i += static_cast<long long>(gridDim.x) * blockDim.x) {
        const long long place = i / element;
        const long long from = (place % rows * columns + place / rows) * element + i % element;
        if (out[i] != in[from]) atomicAdd(wrong, 1ULL);
    }
}

inline unsigned long long wrong_bytes(const Move& move, const Arena& arena, long long rows, long long columns, int element) {
    static unsigned long long* count = nullptr;
    if (count == nullptr) check(cudaMallocManaged(&count, sizeof *count), "memory");
    const std::size_t bytes = static_cast<std::size_t>(rows * columns) * element;
    *count = 0;
    check(cudaMemsetAsync(arena.out(bytes, 0), 0xa5, bytes, stream()), "memset");
    move(arena.out(bytes, 0), arena.in(bytes, 0));
    check(cudaGetLastError(), "launch");
    count_wrong<<<1320, 256, 0, stream()>>>(reinterpret_cast<unsigned char*>(arena.out(bytes, 0)),
                                            reinterpret_cast<const unsigned char*>(arena.in(bytes, 0)), rows, columns, element, count);
    check(cudaStreamSynchronize(stream()), "checking");
    return *count;
}

} // namespace transpose_bench
