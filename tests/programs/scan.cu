// An exclusive prefix sum over many blocks: within blocks, over the blocks' sums, and added back.
#include "check.hpp"

#include <vector>

constexpr int block = 256;

__global__ void scan_blocks(const int* in, int* out, int* sums, int n) {
    __shared__ int room[2][block];
    const int t = threadIdx.x;
    const int i = blockIdx.x * block + t;
    int now = 0;
    const int own = i < n ? in[i] : 0;
    room[0][t] = own;
    __syncthreads();
    for (int step = 1; step < block; step *= 2) {
        room[1 - now][t] = room[now][t] + (t >= step ? room[now][t - step] : 0);
        now = 1 - now;
        __syncthreads();
    }
    if (i < n) out[i] = room[now][t] - own;
    if (t == block - 1) sums[blockIdx.x] = room[now][t];
}

__global__ void add_sums(int* out, const int* sums, int n) {
    const int i = blockIdx.x * block + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
}

int main() {
    constexpr int n = 20000;
    constexpr int blocks = (n + block - 1) / block;
    int *in, *out, *sums, *total;
    CHECK(cudaMallocManaged(&in, n * sizeof(int)));
    CHECK(cudaMallocManaged(&out, n * sizeof(int)));
    CHECK(cudaMallocManaged(&sums, blocks * sizeof(int)));
    CHECK(cudaMallocManaged(&total, sizeof(int)));
    for (int i = 0; i < n; ++i) in[i] = i * 7 % 13;
    scan_blocks<<<blocks, block>>>(in, out, sums, n);
    scan_blocks<<<1, block>>>(sums, sums, total, blocks);
    add_sums<<<blocks, block>>>(out, sums, n);
    CHECK(cudaDeviceSynchronize());
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        EXPECT(out[i] == sum);
        sum += in[i];
    }
    EXPECT(*total == sum);
    std::printf("scan: PASS\n");
    return 0;
}
