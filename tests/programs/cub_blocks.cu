// CUB: block-wide and device-wide reductions and scans.
#include "check.hpp"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_reduce.cuh>

__global__ void blocks(const int* in, int* sums, int* scans) {
    using Reduce = cub::BlockReduce<int, 128>;
    using Scan = cub::BlockScan<int, 128>;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
    } room;
    const int i = blockIdx.x * 128 + threadIdx.x;
    const int sum = Reduce(room.reduce).Sum(in[i]);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    __syncthreads();
    int scanned = 0;
    Scan(room.scan).ExclusiveSum(in[i], scanned);
    scans[i] = scanned;
}

int main() {
    constexpr int n = 1024;
    int *in, *sums, *scans, *total;
    CHECK(cudaMallocManaged(&in, n * sizeof(int)));
    CHECK(cudaMallocManaged(&sums, n / 128 * sizeof(int)));
    CHECK(cudaMallocManaged(&scans, n * sizeof(int)));
    CHECK(cudaMallocManaged(&total, sizeof(int)));
    int all = 0;
    for (int i = 0; i < n; ++i) all += in[i] = i % 10;
    blocks<<<n / 128, 128>>>(in, sums, scans);
    CHECK(cudaDeviceSynchronize());
    for (int b = 0; b < n / 128; ++b) {
        int sum = 0;
        for (int i = b * 128; i < (b + 1) * 128; ++i) {
            EXPECT(scans[i] == sum);
            sum += in[i];
        }
        EXPECT(sums[b] == sum);
    }
    std::size_t bytes = 0;
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, in, total, n));
    void* room;
    CHECK(cudaMalloc(&room, bytes));
    CHECK(cub::DeviceReduce::Sum(room, bytes, in, total, n));
    CHECK(cudaDeviceSynchronize());
    EXPECT(*total == all);
    std::printf("cub_blocks: PASS\n");
    return 0;
}
