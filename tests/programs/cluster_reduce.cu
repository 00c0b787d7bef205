// Clusters sum up their numbers through distributed shared memory: with dimensions from the kernel, and from the launch.
#include "check.hpp"

#include <cooperative_groups.h>

#include <vector>

namespace cg = cooperative_groups;

constexpr int threads = 128;

__device__ void sum_cluster(const int* numbers, int* sums) {
    __shared__ int part;
    cg::cluster_group cluster = cg::this_cluster();
    const cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0) part = 0;
    block.sync();
    atomicAdd(&part, numbers[blockIdx.x * blockDim.x + threadIdx.x]);
    cluster.sync();
    // Every block adds up all parts; the first one of the cluster keeps the sum, the others check theirs.
    int sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) sum += *cluster.map_shared_rank(&part, static_cast<int>(rank));
    if (block.thread_rank() == 0) sums[blockIdx.x] = sum;
    if (cluster.block_rank() != cluster.block_index().x) sums[blockIdx.x] = -1;
    cluster.sync(); // nobody leaves while others read
}

__global__ void __cluster_dims__(4, 1, 1) own(const int* numbers, int* sums) { sum_cluster(numbers, sums); }
__global__ void asked(const int* numbers, int* sums) { sum_cluster(numbers, sums); }

void expect_sums(const std::vector<int>& numbers, const int* sums, int blocks, int size) {
    std::vector<int> got(blocks);
    CHECK(cudaMemcpy(got.data(), sums, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    for (int block = 0; block < blocks; ++block) {
        int wanted = 0;
        for (int i = 0; i < size * threads; ++i) wanted += numbers[block / size * size * threads + i];
        EXPECT(got[block] == wanted);
    }
}

int main() {
    const int blocks = 48;
    std::vector<int> numbers(blocks * threads);
    for (int i = 0; i < blocks * threads; ++i) numbers[i] = i * 7919 % 1000 - 300;
    int *in, *sums;
    CHECK(cudaMalloc(&in, numbers.size() * sizeof(int)));
    CHECK(cudaMalloc(&sums, blocks * sizeof(int)));
    CHECK(cudaMemcpy(in, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice));
    own<<<blocks, threads>>>(in, sums);
    CHECK(cudaGetLastError());
    expect_sums(numbers, sums, blocks, 4);
    for (const unsigned size : {1u, 2u, 8u, 16u, 5u}) {
        cudaLaunchAttribute attribute = {};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = size;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = blocks;
        config.blockDim = threads;
        config.attrs = &attribute;
        config.numAttrs = 1;
        if (size == 16) { // larger than every device has: a kernel must allow it
            EXPECT(cudaLaunchKernelEx(&config, asked, static_cast<const int*>(in), sums) != cudaSuccess);
            (void)cudaGetLastError();
            CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(asked), cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
        }
        const cudaError_t error = cudaLaunchKernelEx(&config, asked, static_cast<const int*>(in), sums);
        if (size == 5) { // does not divide the grid
            EXPECT(error != cudaSuccess);
            (void)cudaGetLastError();
            continue;
        }
        CHECK(error);
        expect_sums(numbers, sums, blocks, static_cast<int>(size));
    }
    std::printf("cluster_reduce: clusters of every size are right\n");
}
