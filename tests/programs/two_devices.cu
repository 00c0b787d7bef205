// Two devices: each with its own memory and variables, copies from one to the other, a kernel that reads its peer's memory.
#include "check.hpp"

#include <vector>

__device__ int own_number;

__global__ void fill(int* v, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = value + i + own_number;
}

__global__ void add(int* to, const int* from, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] += from[i];
}

int main() {
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    EXPECT(devices == 2);
    constexpr int n = 500;
    int* v[2];
    for (int d = 0; d < 2; ++d) {
        CHECK(cudaSetDevice(d));
        const int number = 1000 * d;
        CHECK(cudaMemcpyToSymbol(own_number, &number, sizeof number));
        CHECK(cudaMalloc(&v[d], n * sizeof(int)));
        fill<<<2, 256>>>(v[d], n, d + 1);
        CHECK(cudaDeviceSynchronize());
        cudaPointerAttributes attributes;
        CHECK(cudaPointerGetAttributes(&attributes, v[d]));
        EXPECT(attributes.device == d);
    }
    std::vector<int> host(n);
    CHECK(cudaMemcpy(host.data(), v[1], n * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(host[7] == 2 + 7 + 1000);
    int can = 0;
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    EXPECT(can == 1);
    CHECK(cudaSetDevice(0));
    CHECK(cudaDeviceEnablePeerAccess(1, 0));
    EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
    add<<<2, 256>>>(v[0], v[1], n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyPeer(v[1], 1, v[0], 0, n * sizeof(int)));
    CHECK(cudaMemcpyPeerAsync(v[1], 1, v[0], 0, n * sizeof(int), 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host.data(), v[1], n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) EXPECT(host[i] == 1 + i + 2 + i + 1000);
    CHECK(cudaDeviceDisablePeerAccess(1));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    int device = -1;
    CHECK(cudaStreamGetDevice(stream, &device));
    EXPECT(device == 0);
    std::printf("two_devices: PASS\n");
    return 0;
}
