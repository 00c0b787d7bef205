// Launches every kernel of workloads/transpose once, for a profiler to count. See docs/results/README.md for the command.
//
//   nvcc -O3 -std=c++17 -lineinfo -arch=native bench/device/transpose_counters.cu -o transpose_counters
//   ncu --clock-control none --csv --page raw --metrics ... ./transpose_counters 1024
#include "../../workloads/transpose/transpose.cu"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace {

unsigned groups(std::size_t items, std::size_t size) { return static_cast<unsigned>((items + size - 1) / size); }

void launch_all(float* out, const float* in, int n) {
    const dim3 square16(groups(n, 16), groups(n, 16));
    const dim3 square32(groups(n, 32), groups(n, 32));
    const dim3 square64(groups(n, 64), groups(n, 64));
    copy<<<groups(groups(std::size_t(n) * n, 4), 256), 256>>>(out, in, n);
    if (n <= 1024) one_thread<<<1, 1>>>(out, in, n);
    per_row<<<groups(n, 256), 256>>>(out, in, n);
    per_row<<<groups(n, 1024), 1024>>>(out, in, n);
    per_element<<<square16, dim3(16, 16)>>>(out, in, n);
    per_element<<<square32, dim3(32, 32)>>>(out, in, n);
    tiled<32><<<square32, dim3(32, 32)>>>(out, in, n);
    tiled<16><<<square16, dim3(16, 16)>>>(out, in, n);
    padded<<<square32, dim3(32, 32)>>>(out, in, n);
    coarse<<<square32, dim3(32, 8)>>>(out, in, n);
    vectorised<<<square64, 256>>>(out, in, n);
}

} // namespace

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 1024;
    if (n < 1) return 2;
    const std::size_t bytes = std::size_t(n) * n * sizeof(float);
    float* in = nullptr;
    float* out = nullptr;
    if (cudaMalloc(&in, bytes) != cudaSuccess || cudaMalloc(&out, bytes) != cudaSuccess) {
        std::fprintf(stderr, "no device, or not enough memory on it\n");
        return 4;
    }
    cudaMemset(in, 1, bytes);
    launch_all(out, in, n);
    const cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return status == cudaSuccess ? 0 : 1;
}
