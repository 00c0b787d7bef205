// A transpose on the GPU, on a stream of one's own, checked against the one on the CPU.
//
//   g++ -std=c++20 -Iinclude -I/usr/local/cuda/include examples/transpose/transpose_matrix.cpp -Lbuild/dev -lapod_transpose
//       -L/usr/local/cuda/lib64 -lcudart -o transpose_matrix        (one line)
//   LD_LIBRARY_PATH=build/dev ./transpose_matrix 1000 4095
//
// Without a GPU: build/apod run -- ./transpose_matrix 1000 4095. Without CUDA's headers only the CPU's part is compiled. As a CMake
// project: examples/project.
#include <apod/transpose.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

#if __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>
#endif

namespace {

bool went_well(const apod::TransposeStatus& status) {
    if (!status) std::fprintf(stderr, "%s\n", status.message().c_str());
    return status.ok();
}

#if __has_include(<cuda_runtime.h>)
bool went_well(cudaError_t error) {
    if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return error == cudaSuccess;
}

bool on_gpu(std::vector<float>& out, const std::vector<float>& in, long rows, long columns) {
    const std::size_t bytes = in.size() * sizeof(float);
    float* device_in = nullptr;
    float* device_out = nullptr;
    cudaStream_t stream = nullptr;
    const bool right = went_well(cudaMalloc(&device_in, bytes)) && went_well(cudaMalloc(&device_out, bytes)) &&
                       went_well(cudaStreamCreate(&stream)) &&
                       went_well(cudaMemcpyAsync(device_in, in.data(), bytes, cudaMemcpyHostToDevice, stream)) &&
                       went_well(apod::transpose(device_out, device_in, rows, columns, stream)) &&
                       went_well(cudaMemcpyAsync(out.data(), device_out, bytes, cudaMemcpyDeviceToHost, stream)) &&
                       went_well(cudaStreamSynchronize(stream));
    cudaStreamDestroy(stream);
    cudaFree(device_out);
    cudaFree(device_in);
    return right;
}
#endif

} // namespace

int main(int argc, char** argv) {
    const long rows = argc > 1 ? std::atol(argv[1]) : 1000;
    const long columns = argc > 2 ? std::atol(argv[2]) : 4095;
    if (rows < 1 || columns < 1) {
        std::fputs("usage: transpose_matrix [ROWS [COLUMNS]]\n", stderr);
        return 2;
    }
    std::vector<float> in(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    std::vector<float> expected(in.size());
    if (!went_well(apod::transpose_on_cpu(expected.data(), in.data(), rows, columns))) return 1;
    for (long x = 0; x < columns; ++x) {
        for (long y = 0; y < rows; ++y) {
            if (expected[x * rows + y] != in[y * columns + x]) return 1;
        }
    }
    std::printf("%ld x %ld on the CPU: right\n", rows, columns);
#if __has_include(<cuda_runtime.h>)
    std::vector<float> out(in.size());
    if (!on_gpu(out, in, rows, columns) || out != expected) return 1;
    std::printf("%ld x %ld on the GPU: right\n", rows, columns);
#endif
    return 0;
}
