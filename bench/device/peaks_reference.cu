// Copy bandwidth and multiply-add rates by other kernels and other code than src/peaks: CUDA's runtime, plain events, the best of several.
// What `apod devices --measure` shows is held against this.
//
//   nvcc -O3 -std=c++17 -arch=native bench/device/peaks_reference.cu -o peaks_reference && ./peaks_reference
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(4);
}

// Median milliseconds of 15 after a warm-up.
double milliseconds(const std::function<void()>& work) {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
    for (int i = 0; i < 20; ++i) work();
    std::vector<float> times(15);
    for (float& time : times) {
        check(cudaEventRecord(begin), "record");
        work();
        check(cudaEventRecord(end), "record");
        check(cudaEventSynchronize(end), "synchronise");
        check(cudaEventElapsedTime(&time, begin, end), "elapsed");
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

// A loop over the grid, unlike the kernels of src/peaks.
__global__ void copy(const float4* from, float4* to, size_t elements) {
    const size_t stride = size_t{gridDim.x} * blockDim.x;
    for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < elements; i += stride) to[i] = from[i];
}

__global__ void copy_once(const float4* from, float4* to) {
    const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

template<class T> __global__ void multiply_add(T* out, T a, T b, int passes) {
    T x[16];
    for (int i = 0; i < 16; ++i) x[i] = static_cast<T>(threadIdx.x + i);
    for (int pass = 0; pass < passes; ++pass)
#pragma unroll
        for (int step = 0; step < 16; ++step)
#pragma unroll
            for (int i = 0; i < 16; ++i) x[i] = x[i] * a + b;
    T sum = 0;
    for (int i = 0; i < 16; ++i) sum += x[i];
    out[size_t{blockIdx.x} * blockDim.x + threadIdx.x] = sum;
}

template<class T> void rate(const char* name, int sms, int passes) {
    constexpr int threads = 512;
    const int blocks = sms * 4;
    T* out = nullptr;
    check(cudaMalloc(&out, sizeof(T) * threads * blocks), "malloc");
    const double ms = milliseconds([&] { multiply_add<<<blocks, threads>>>(out, T(0.999), T(0.001), passes); });
    check(cudaGetLastError(), "launch");
    std::printf("%s,%.2f,TFLOP/s\n", name, 2.0 * 256 * passes * threads * blocks / ms / 1e9);
    check(cudaFree(out), "free");
}

} // namespace

int main() {
    constexpr size_t bytes = size_t{4} << 30;
    constexpr size_t elements = bytes / sizeof(float4);
    float4* from = nullptr;
    float4* to = nullptr;
    check(cudaMalloc(&from, bytes), "malloc");
    check(cudaMalloc(&to, bytes), "malloc");
    check(cudaMemset(from, 0, bytes), "memset");
    int sms = 0;
    check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "attribute");
    double ms = milliseconds([&] { copy<<<sms * 16, 512>>>(from, to, elements); });
    std::printf("copy in a grid loop,%.1f,GB/s\n", 2.0 * bytes / ms / 1e6);
    ms = milliseconds([&] { copy_once<<<elements / 512, 512>>>(from, to); });
    std::printf("copy one element a thread,%.1f,GB/s\n", 2.0 * bytes / ms / 1e6);
    ms = milliseconds([&] { check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copy"); });
    std::printf("cudaMemcpy,%.1f,GB/s\n", 2.0 * bytes / ms / 1e6);
    rate<float>("fp32", sms, 4000);
    rate<double>("fp64", sms, 2000);
    return 0;
}
