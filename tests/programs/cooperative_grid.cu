// A cooperative launch whose blocks wait for each other, and one that is too large for the device.
#include "check.hpp"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void two_phases(int* values, int* sums, int n) {
    const cg::grid_group grid = cg::this_grid();
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size())) values[i] = i;
    grid.sync();
    // What another block wrote.
    int sum = 0;
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size())) sum += values[n - 1 - i];
    atomicAdd(sums, sum);
    grid.sync();
    if (grid.thread_rank() == 0) sums[1] = sums[0] * 2;
}

int main() {
    int cooperative = 0;
    CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
    EXPECT(cooperative == 1);
    int n = 5000;
    int *values, *sums;
    CHECK(cudaMalloc(&values, n * sizeof(int)));
    CHECK(cudaMallocManaged(&sums, 2 * sizeof(int)));
    sums[0] = sums[1] = 0;
    void* arguments[] = {&values, &sums, &n};
    CHECK(cudaLaunchCooperativeKernel(two_phases, dim3(16), dim3(128), arguments, 0, nullptr));
    CHECK(cudaDeviceSynchronize());
    EXPECT(sums[0] == n * (n - 1) / 2);
    EXPECT(sums[1] == n * (n - 1));

    int per_sm = 0, sms = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, two_phases, 128, 0));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    EXPECT(cudaLaunchCooperativeKernel(two_phases, dim3(per_sm * sms + 1), dim3(128), arguments, 0, nullptr) ==
           cudaErrorCooperativeLaunchTooLarge);
    EXPECT(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
    CHECK(cudaDeviceSynchronize());
    std::printf("cooperative_grid: PASS\n");
    return 0;
}
