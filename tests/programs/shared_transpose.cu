// A transpose through a tile of shared memory, static and dynamic; more than 48 KB needs the attribute.
#include "check.hpp"

#include <vector>

__global__ void with_static(const float* in, float* out, int n) {
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 32 + threadIdx.y;
    if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    const int tx = blockIdx.y * 32 + threadIdx.x;
    const int ty = blockIdx.x * 32 + threadIdx.y;
    if (tx < n && ty < n) out[ty * n + tx] = tile[threadIdx.x][threadIdx.y];
}

extern __shared__ int words[];

__global__ void with_dynamic(int* out, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) words[i] = i * 3;
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = words[count - 1 - i];
}

int main() {
    const int n = 100;
    std::vector<float> in(n * n), out(n * n);
    for (int i = 0; i < n * n; ++i) in[i] = static_cast<float>(i);
    float *din, *dout;
    CHECK(cudaMalloc(&din, n * n * sizeof(float)));
    CHECK(cudaMalloc(&dout, n * n * sizeof(float)));
    CHECK(cudaMemcpy(din, in.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
    with_static<<<dim3(4, 4), dim3(32, 32)>>>(din, dout, n);
    CHECK(cudaMemcpy(out.data(), dout, n * n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) EXPECT(out[x * n + y] == in[y * n + x]);

    const int count = 16000; // 64000 bytes
    int* dwords;
    CHECK(cudaMalloc(&dwords, count * sizeof(int)));
    with_dynamic<<<1, 256, count * sizeof(int)>>>(dwords, count);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaFuncSetAttribute(with_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, count * sizeof(int)));
    with_dynamic<<<1, 256, count * sizeof(int)>>>(dwords, count);
    CHECK(cudaGetLastError());
    std::vector<int> reversed(count);
    CHECK(cudaMemcpy(reversed.data(), dwords, count * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; ++i) EXPECT(reversed[i] == (count - 1 - i) * 3);
    std::printf("shared_transpose: right\n");
}
