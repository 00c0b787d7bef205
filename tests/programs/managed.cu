// Managed memory, a __managed__ variable, mapped and registered host memory: the host and kernels see the same bytes.
#include "check.hpp"

#include <cstdint>

__managed__ int total = 5;

__global__ void add_all(const int* values, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&total, values[i]);
}

__global__ void twice(int* values, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] *= 2;
}

int main() {
    const int n = 1000;
    EXPECT(total == 5);
    total = 7;
    int* values;
    CHECK(cudaMallocManaged(&values, n * sizeof(int)));
    for (int i = 0; i < n; ++i) values[i] = i;
    add_all<<<1, 128>>>(values, n);
    CHECK(cudaDeviceSynchronize());
    EXPECT(total == 7 + n * (n - 1) / 2);

    int *pinned, *mapped;
    CHECK(cudaHostAlloc(&pinned, n * sizeof(int), cudaHostAllocMapped));
    for (int i = 0; i < n; ++i) pinned[i] = i;
    CHECK(cudaHostGetDevicePointer(&mapped, pinned, 0));
    twice<<<1, 64>>>(mapped, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) EXPECT(pinned[i] == 2 * i);

    static int registered[4096];
    for (int i = 0; i < 4096; ++i) registered[i] = i;
    CHECK(cudaHostRegister(registered, sizeof registered, cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&mapped, registered, 0));
    twice<<<1, 64>>>(mapped, 4096);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 4096; ++i) EXPECT(registered[i] == 2 * i);
    CHECK(cudaHostUnregister(registered));

    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, values));
    EXPECT(attributes.type == cudaMemoryTypeManaged);
    CHECK(cudaPointerGetAttributes(&attributes, pinned));
    EXPECT(attributes.type == cudaMemoryTypeHost);
    CHECK(cudaPointerGetAttributes(&attributes, &attributes));
    EXPECT(attributes.type == cudaMemoryTypeUnregistered);
    CHECK(cudaFree(values));
    CHECK(cudaFreeHost(pinned));
    std::printf("managed: total is %d\n", total);
}
