// Kernels that work in the host's memory: mapped when it is allocated, and registered later.
#include "check.hpp"

#include <vector>

__global__ void square(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= v[i];
}

int main() {
    constexpr int n = 300;
    int *host, *device;
    CHECK(cudaHostAlloc(&host, n * sizeof(int), cudaHostAllocMapped));
    for (int i = 0; i < n; ++i) host[i] = i;
    CHECK(cudaHostGetDevicePointer(&device, host, 0));
    square<<<2, 256>>>(device, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) EXPECT(host[i] == i * i);
    unsigned flags = 0;
    CHECK(cudaHostGetFlags(&flags, host));
    EXPECT((flags & cudaHostAllocMapped) != 0);
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, host));
    EXPECT(attributes.type == cudaMemoryTypeHost);
    CHECK(cudaFreeHost(host));

    std::vector<int> own(n);
    for (int i = 0; i < n; ++i) own[i] = i;
    CHECK(cudaPointerGetAttributes(&attributes, own.data()));
    EXPECT(attributes.type == cudaMemoryTypeUnregistered);
    CHECK(cudaHostRegister(own.data(), n * sizeof(int), cudaHostRegisterMapped));
    EXPECT(cudaHostRegister(own.data(), n * sizeof(int), 0) == cudaErrorHostMemoryAlreadyRegistered);
    CHECK(cudaHostGetDevicePointer(&device, own.data(), 0));
    square<<<2, 256>>>(device, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) EXPECT(own[i] == i * i);
    CHECK(cudaHostUnregister(own.data()));
    EXPECT(cudaHostUnregister(own.data()) == cudaErrorHostMemoryNotRegistered);
    std::printf("mapped_memory: PASS\n");
    return 0;
}
