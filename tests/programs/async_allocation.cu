// Stream-ordered allocation and memory pools.
#include "check.hpp"

__global__ void fill(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = 3 * i;
}

int main() {
    int supported = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    EXPECT(supported == 1);
    constexpr int n = 1000;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaMemPool_t pool;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long threshold = ~0ull;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    int *v, *host;
    CHECK(cudaMallocHost(&host, n * sizeof(int)));
    for (int round = 0; round < 10; ++round) {
        CHECK(cudaMallocAsync(&v, n * sizeof(int), stream));
        fill<<<4, 256, 0, stream>>>(v, n);
        CHECK(cudaMemcpyAsync(host, v, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
        CHECK(cudaFreeAsync(v, stream));
        CHECK(cudaStreamSynchronize(stream));
        for (int i = 0; i < n; ++i) EXPECT(host[i] == 3 * i);
    }
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = 0;
    cudaMemPool_t own;
    CHECK(cudaMemPoolCreate(&own, &properties));
    CHECK(cudaMallocFromPoolAsync(&v, 64, own, stream));
    CHECK(cudaMemsetAsync(v, 0, 64, stream));
    CHECK(cudaStreamSynchronize(stream));
    unsigned long long used = 0;
    CHECK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used >= 64);
    CHECK(cudaFreeAsync(v, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used == 0);
    CHECK(cudaMemPoolTrimTo(own, 0));
    CHECK(cudaMemPoolDestroy(own));
    std::printf("async_allocation: PASS\n");
    return 0;
}
