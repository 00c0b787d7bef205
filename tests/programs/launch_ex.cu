// cudaLaunchKernelEx and its attributes.
#include "check.hpp"

#include <cooperative_groups.h>

__global__ void add(int* v, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += value;
}

__global__ void together(int* v) {
    atomicAdd(v, 1);
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) atomicMax(v + 1, *v);
}

int main() {
    constexpr int n = 1000;
    int* v;
    CHECK(cudaMallocManaged(&v, n * sizeof(int)));
    for (int i = 0; i < n; ++i) v[i] = i;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaLaunchConfig_t configuration = {};
    configuration.gridDim = dim3(4);
    configuration.blockDim = dim3(256);
    configuration.stream = stream;
    CHECK(cudaLaunchKernelEx(&configuration, add, v, n, 5));
    cudaLaunchAttribute attributes[2];
    attributes[0].id = cudaLaunchAttributePriority;
    attributes[0].val.priority = 0;
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 0;
    configuration.attrs = attributes;
    configuration.numAttrs = 2;
    CHECK(cudaLaunchKernelEx(&configuration, add, v, n, 7));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; ++i) EXPECT(v[i] == i + 12);
    v[0] = v[1] = 0;
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    configuration.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&configuration, together, v));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(v[0] == 1024 && v[1] == 1024);
    std::printf("launch_ex: PASS\n");
    return 0;
}
