// Cooperative groups within a block: tiles, coalesced threads, reductions.
#include "check.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <vector>

namespace cg = cooperative_groups;

__global__ void tiles(int* sums, int* ranks) {
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    const int own = static_cast<int>(block.thread_rank());
    int sum = own;
    for (int step = 8; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
    if (tile.thread_rank() == 0) sums[blockIdx.x * (blockDim.x / 16) + tile.meta_group_rank()] = sum;
    ranks[block.group_index().x * block.size() + block.thread_rank()] = cg::exclusive_scan(tile, 1);
}

__global__ void odd_ones(int* count, int* total) {
    const int i = threadIdx.x;
    if (i % 2 == 1) {
        const cg::coalesced_group active = cg::coalesced_threads();
        const int sum = cg::reduce(active, i, cg::plus<int>());
        if (active.thread_rank() == 0) {
            atomicAdd(count, static_cast<int>(active.size()));
            atomicAdd(total, sum);
        }
    }
}

int main() {
    constexpr int blocks = 4, threads = 128;
    int *sums, *ranks;
    CHECK(cudaMallocManaged(&sums, blocks * threads / 16 * sizeof(int)));
    CHECK(cudaMallocManaged(&ranks, blocks * threads * sizeof(int)));
    tiles<<<blocks, threads>>>(sums, ranks);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < blocks * threads / 16; ++t) {
        const int first = (t % (threads / 16)) * 16;
        EXPECT(sums[t] == 16 * first + 120);
    }
    for (int i = 0; i < blocks * threads; ++i) EXPECT(ranks[i] == i % 16);
    int* counts;
    CHECK(cudaMallocManaged(&counts, 2 * sizeof(int)));
    counts[0] = counts[1] = 0;
    odd_ones<<<1, 256>>>(&counts[0], &counts[1]);
    CHECK(cudaDeviceSynchronize());
    EXPECT(counts[0] == 128);
    EXPECT(counts[1] == 128 * 128);
    std::printf("cooperative_groups: PASS\n");
    return 0;
}
