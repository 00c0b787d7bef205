// Dynamic shared memory, also beyond what a kernel may use unasked.
#include "check.hpp"

__global__ void reverse(int* v) {
    extern __shared__ int room[];
    room[threadIdx.x] = v[threadIdx.x];
    __syncthreads();
    v[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}

__global__ void large(double* out, int n) {
    extern __shared__ double doubles[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) doubles[i] = i;
    __syncthreads();
    double sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += doubles[n - 1 - i];
    atomicAdd(out, sum);
}

int main() {
    int* v;
    CHECK(cudaMallocManaged(&v, 256 * sizeof(int)));
    for (int i = 0; i < 256; ++i) v[i] = i;
    reverse<<<1, 256, 256 * sizeof(int)>>>(v);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 256; ++i) EXPECT(v[i] == 255 - i);

    constexpr int n = 10000; // 80 kB
    double* out;
    CHECK(cudaMallocManaged(&out, sizeof(double)));
    *out = 0;
    large<<<1, 128, n * sizeof(double)>>>(out, n);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    int most = 0;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT(most >= 80000);
    CHECK(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, n * sizeof(double)));
    EXPECT(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1) == cudaErrorInvalidValue);
    cudaGetLastError();
    large<<<1, 128, n * sizeof(double)>>>(out, n);
    CHECK(cudaDeviceSynchronize());
    EXPECT(*out == n * (n - 1.0) / 2);
    std::printf("dynamic_shared: PASS\n");
    return 0;
}
