// A histogram whose bins are spread over the shared memory of a cluster's blocks (CUDA programming guide, "Distributed Shared Memory").
#include "check.hpp"

#include <cooperative_groups.h>

#include <vector>

namespace cg = cooperative_groups;

__global__ void histogram(int* bins, int bin_count, int bins_per_block, const int* input, int n) {
    extern __shared__ int own[];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned first = cg::this_grid().thread_rank();
    for (int i = static_cast<int>(threadIdx.x); i < bins_per_block; i += static_cast<int>(blockDim.x)) own[i] = 0;
    cluster.sync(); // all bins are zero, and all blocks have started
    for (unsigned i = first; i < static_cast<unsigned>(n); i += blockDim.x * gridDim.x) {
        const int bin = input[i] < 0 ? 0 : input[i] >= bin_count ? bin_count - 1 : input[i];
        int* there = cluster.map_shared_rank(own, bin / bins_per_block);
        atomicAdd(there + bin % bins_per_block, 1);
    }
    cluster.sync(); // all have counted
    int* to = bins + cluster.block_rank() * bins_per_block;
    for (int i = static_cast<int>(threadIdx.x); i < bins_per_block; i += static_cast<int>(blockDim.x)) atomicAdd(to + i, own[i]);
}

int main() {
    const int n = 20000, bin_count = 512, blocks = 16, threads = 128;
    std::vector<int> input(n), wanted(bin_count), got(bin_count);
    for (int i = 0; i < n; ++i) {
        input[i] = static_cast<int>(static_cast<unsigned>(i) * 2654435761u >> 20) % 600 - 40;
        ++wanted[input[i] < 0 ? 0 : input[i] >= bin_count ? bin_count - 1 : input[i]];
    }
    int *in, *bins;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&bins, bin_count * sizeof(int)));
    CHECK(cudaMemcpy(in, input.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    for (const unsigned size : {1u, 2u, 4u, 8u}) {
        CHECK(cudaMemset(bins, 0, bin_count * sizeof(int)));
        cudaLaunchAttribute attribute = {};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = size;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = blocks;
        config.blockDim = threads;
        config.dynamicSmemBytes = bin_count / size * sizeof(int);
        config.attrs = &attribute;
        config.numAttrs = 1;
        CHECK(cudaLaunchKernelEx(&config, histogram, bins, bin_count, bin_count / static_cast<int>(size), static_cast<const int*>(in), n));
        CHECK(cudaMemcpy(got.data(), bins, bin_count * sizeof(int), cudaMemcpyDeviceToHost));
        EXPECT(got == wanted);
    }
    std::printf("cluster_dsmem_histogram: every cluster size counts the same\n");
}
