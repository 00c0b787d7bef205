// Errors that do not stick, that are remembered until asked for, and one that sticks.
#include "check.hpp"

#include <cstring>

__global__ void nothing() {}
__global__ void stray(int* p) { p[1 << 20] = 1; }

int main() {
    void* p = nullptr;
    EXPECT(cudaMalloc(&p, ~size_t{0} / 2) == cudaErrorMemoryAllocation);
    EXPECT(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaSuccess);
    nothing<<<1, 2048>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue); // on an H200 with CUDA 13.0 too
    nothing<<<0, 32>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue); // on an H200 with CUDA 13.0 too
    nothing<<<1, 32, 1 << 20>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(cudaFree(reinterpret_cast<void*>(16)) == cudaErrorInvalidValue);
    EXPECT(cudaSetDevice(99) == cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
    nothing<<<1, 32>>>();
    CHECK(cudaDeviceSynchronize());
    EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    EXPECT(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);

    CHECK(cudaMalloc(&p, 64));
    stray<<<1, 1>>>(static_cast<int*>(p));
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(cudaMalloc(&p, 64) == cudaErrorIllegalAddress);
    std::printf("errors: %s\n", cudaGetErrorString(cudaGetLastError()));
}
