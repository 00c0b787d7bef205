// Timing one's own kernel in three lines, and two versions of it against each other.
//
//   nvcc -std=c++20 -O3 -arch=native -Iinclude examples/measure/measure_saxpy.cu -Lbuild/dev -lapod_measure -o measure_saxpy
//   LD_LIBRARY_PATH=build/dev ./measure_saxpy
//
// Without a GPU: build it with -cudart shared -arch=compute_90 and run it with `apod run -- ./measure_saxpy`; times are predicted then.
#include "apod/measure.hpp"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void saxpy(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

// A run of elements a thread: neighbours are far apart, which the memory does not like.
__global__ void saxpy_runs(int n, float a, const float* x, float* y, int each) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each && i < n; ++i) y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 24;
    float *x = nullptr, *y = nullptr;
    if (cudaMalloc(&x, n * sizeof(float)) != cudaSuccess || cudaMalloc(&y, n * sizeof(float)) != cudaSuccess) return 4;
    cudaMemset(x, 0, n * sizeof(float));
    cudaMemset(y, 0, n * sizeof(float));
    cudaDeviceSynchronize();

    const auto by_element = [&](void* stream) { saxpy<<<(n + 255) / 256, 256, 0, static_cast<cudaStream_t>(stream)>>>(n, 2, x, y); };
    const auto by_runs = [&](void* stream) {
        saxpy_runs<<<(n + 4095) / 4096, 256, 0, static_cast<cudaStream_t>(stream)>>>(n, 2, x, y, 16);
    };
    try {
        apod::MeasureOptions options;
        options.name = "saxpy";
        std::puts(apod::to_text(apod::measure(by_element, options)).c_str());

        options.cold = true;                           // each run finds L2 without its data,
        options.floor_ns = 3.0 * n * 4 / 8000e9 * 1e9; // so it cannot be faster than any GPU's memory
        std::puts(apod::to_text(apod::measure(by_element, options)).c_str());

        options.cold = false;
        options.floor_ns = 0;
        std::puts(apod::to_text(apod::compare(by_element, by_runs, options)).c_str());
    } catch (const apod::MeasureError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
