// A block-wise sum with shared memory, warp shuffles and one atomic a block.
#include "check.hpp"

#include <vector>

__global__ void sum(const int* in, int n, int* out) {
    __shared__ int partial[32];
    int value = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += in[i];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
        for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
        if (threadIdx.x == 0) atomicAdd(out, value);
    }
}

int main() {
    const int n = 100003;
    std::vector<int> in(n);
    long long expected = 0;
    for (int i = 0; i < n; ++i) expected += in[i] = i % 17 - 5;
    int *din, *dout, out = 0;
    CHECK(cudaMalloc(&din, n * sizeof(int)));
    CHECK(cudaMalloc(&dout, sizeof(int)));
    CHECK(cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dout, 0, sizeof(int)));
    sum<<<40, 256>>>(din, n, dout);
    CHECK(cudaMemcpy(&out, dout, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(out == expected);
    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));
    std::printf("reduction: the sum is %d\n", out);
}
