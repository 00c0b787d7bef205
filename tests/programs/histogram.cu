// Histograms with atomics in shared memory and then in global memory.
#include "check.hpp"

#include <vector>

__global__ void histogram(const unsigned char* in, int n, unsigned* bins) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    if (own[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
    constexpr int n = 50000;
    std::vector<unsigned char> host(n);
    std::vector<unsigned> expected(256), result(256);
    for (int i = 0; i < n; ++i) ++expected[host[i] = static_cast<unsigned char>(i * i % 251)];
    unsigned char* in;
    unsigned* bins;
    CHECK(cudaMalloc(&in, n));
    CHECK(cudaMalloc(&bins, 256 * sizeof(unsigned)));
    CHECK(cudaMemcpy(in, host.data(), n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(bins, 0, 256 * sizeof(unsigned)));
    histogram<<<8, 256>>>(in, n, bins);
    CHECK(cudaMemcpy(result.data(), bins, 256 * sizeof(unsigned), cudaMemcpyDeviceToHost));
    EXPECT(result == expected);
    std::printf("histogram: PASS\n");
    return 0;
}
