// What a device says of itself, and that its parts agree.
#include "check.hpp"

__global__ void __launch_bounds__(256) bounded(float* p) { p[threadIdx.x] = threadIdx.x; }

int main() {
    int count = 0, device = -1, value = 0;
    CHECK(cudaGetDeviceCount(&count));
    EXPECT(count >= 1);
    CHECK(cudaGetDevice(&device));
    EXPECT(device == 0);
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, device));
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device));
    EXPECT(value == properties.multiProcessorCount && value > 0);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    EXPECT(value == static_cast<int>(properties.sharedMemPerBlockOptin));
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, device));
    EXPECT(value == properties.major);
    EXPECT(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
    size_t free_bytes = 0, total_bytes = 0, again = 0;
    CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    EXPECT(total_bytes == properties.totalGlobalMem);
    void* p;
    CHECK(cudaMalloc(&p, 1 << 20));
    CHECK(cudaMemGetInfo(&again, &total_bytes));
    EXPECT(again <= free_bytes);
    if (emulated()) EXPECT(free_bytes - again == 1 << 20); // a GPU takes memory in larger pieces
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, bounded));
    EXPECT(attributes.maxThreadsPerBlock == 256 && attributes.numRegs > 0);
    int blocks = 0, size = 0, least = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
    EXPECT(blocks == properties.maxThreadsPerMultiProcessor / 256);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &size, bounded));
    EXPECT(size == 256);
    int driver = 0, runtime = 0;
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    EXPECT(driver >= runtime && runtime >= 12000);
    std::printf("device_query: right\n");
}
