// Occupancy, launch bounds, and what is told of a kernel.
#include "check.hpp"

__global__ void __launch_bounds__(128, 4) bounded(float* v) { v[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

__global__ void with_shared(float* v) {
    __shared__ float room[1024];
    room[threadIdx.x] = v[threadIdx.x];
    __syncthreads();
    v[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}

__global__ void plain(float* v) { v[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, bounded));
    EXPECT(attributes.maxThreadsPerBlock == 128);
    CHECK(cudaFuncGetAttributes(&attributes, with_shared));
    EXPECT(attributes.sharedSizeBytes == 4096);
    EXPECT(attributes.numRegs > 0);
    EXPECT(attributes.ptxVersion == 90);
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0));
    EXPECT(blocks == 8);
    int grid = 0, block = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0));
    EXPECT(block > 0 && block % 32 == 0 && grid > 0);
    std::size_t room = 0;
    CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, plain, 2, 128));
    EXPECT(room > 0);
    float* v;
    CHECK(cudaMalloc(&v, 4096));
    bounded<<<1, 256>>>(v);
    const cudaError_t too_large = cudaGetLastError();
    EXPECT(too_large == cudaErrorInvalidValue); // on an H200 with CUDA 13.0 too
    bounded<<<1, 128>>>(v);
    CHECK(cudaDeviceSynchronize());
    std::printf("occupancy: PASS\n");
    return 0;
}
