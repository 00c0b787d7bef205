// Two reductions of a block one after the other, in the way that many programs write it: the first warp writes the second one's sums over
// the first one's result without a barrier in between. A GPU's warps, which go side by side, have read the result by then.
#include "check.hpp"

__device__ int block_sum(int value) {
    __shared__ int sums[32];
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
    if (lane == 0) sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
        if (lane == 0) sums[0] = value;
    }
    __syncthreads();
    return sums[0];
}

__global__ void deviations(const int* from, int* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int mean = block_sum(from[i]) / static_cast<int>(blockDim.x);
    const int difference = from[i] - mean;
    to[i] = block_sum(difference * difference);
}

int main() {
    constexpr int threads = 512;
    constexpr int blocks = 20;
    int* from;
    int* to;
    CHECK(cudaMallocManaged(&from, blocks * threads * sizeof(int)));
    CHECK(cudaMallocManaged(&to, blocks * threads * sizeof(int)));
    for (int i = 0; i < blocks * threads; ++i) from[i] = i * 7 % 101;
    deviations<<<blocks, threads>>>(from, to);
    CHECK(cudaDeviceSynchronize());
    for (int b = 0; b < blocks; ++b) {
        int mean = 0;
        for (int t = 0; t < threads; ++t) mean += from[b * threads + t];
        mean /= threads;
        int sum = 0;
        for (int t = 0; t < threads; ++t) sum += (from[b * threads + t] - mean) * (from[b * threads + t] - mean);
        for (int t = 0; t < threads; ++t) EXPECT(to[b * threads + t] == sum);
    }
    std::printf("reduce_again: PASS\n");
    return 0;
}
