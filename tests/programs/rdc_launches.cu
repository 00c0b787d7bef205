// Kernels that launch kernels: with arguments and shared memory, in streams, one after the other in one stream, and recursively.
#include "check.hpp"

__device__ unsigned nodes;

__global__ void add(int* data, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += value;
}

__global__ void reverse(int* data) {
    extern __shared__ int room[];
    room[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}

// Each block has a row of 64 numbers: adds, then turns them round, in the order of the block's default stream.
__global__ void rows(int* data) {
    if (threadIdx.x != 0) return;
    int* row = data + blockIdx.x * 64;
    add<<<2, 32>>>(row, 60, 1 + static_cast<int>(blockIdx.x));
    reverse<<<1, 64, 64 * sizeof(int)>>>(row);
}

__global__ void in_a_stream(int* data) {
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return;
    add<<<1, 32, 0, stream>>>(data, 32, 100);
    add<<<1, 32, 0, stream>>>(data, 32, 1000);
    cudaStreamDestroy(stream);
    if (cudaGetLastError() != cudaSuccess) data[0] = -1;
}

__global__ void tree(int depth) {
    atomicAdd(&nodes, 1u);
    if (depth > 0) tree<<<3, 1>>>(depth - 1);
}

__global__ void at_last(int* data) { data[0] *= 2; }

__global__ void tail(int* data) {
    at_last<<<1, 1, 0, cudaStreamTailLaunch>>>(data);
    add<<<1, 1, 0, cudaStreamFireAndForget>>>(data + 1, 1, 5);
    data[0] = 21; // before the tail launch
}

// A fill, a kernel and a copy, in this order.
__global__ void with_copies(int* data) {
    cudaMemsetAsync(data, 1, 32 * sizeof(int));
    add<<<1, 32>>>(data, 32, 1);
    cudaMemcpyAsync(data + 32, data, 32 * sizeof(int), cudaMemcpyDeviceToDevice);
}

__global__ void with_words(int* result) {
    const char* words = cudaGetErrorString(cudaSuccess);
    *result = words[0] == 'n' && words[1] == 'o' && cudaGetErrorName(cudaSuccess)[0] == 'c' ? 7 : -1;
}

__global__ void with_memory(int* result) {
    int* memory = nullptr;
    if (cudaMalloc(reinterpret_cast<void**>(&memory), 64) != cudaSuccess) return;
    memory[5] = 55;
    *result = memory[5];
    cudaFree(memory);
}

int main() {
    int *data, host[256];
    CHECK(cudaMalloc(&data, sizeof host));
    for (int i = 0; i < 256; ++i) host[i] = i;
    CHECK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
    rows<<<4, 32>>>(data);
    CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
    for (int row = 0; row < 4; ++row)
        for (int i = 0; i < 64; ++i) {
            const int from = 63 - i;
            EXPECT(host[row * 64 + i] == row * 64 + from + (from < 60 ? 1 + row : 0));
        }
    CHECK(cudaMemset(data, 0, sizeof host));
    in_a_stream<<<1, 1>>>(data);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 33; ++i) EXPECT(host[i] == (i < 32 ? 1100 : 0));
    tree<<<1, 1>>>(4);
    unsigned count = 0;
    CHECK(cudaMemcpyFromSymbol(&count, nodes, sizeof count));
    EXPECT(count == 1 + 3 + 9 + 27 + 81);
    CHECK(cudaMemset(data, 0, sizeof host));
    tail<<<1, 1>>>(data);
    CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 42 && host[1] == 5);
    with_copies<<<1, 1>>>(data);
    CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; ++i) EXPECT(host[i] == 0x01010102);
    with_memory<<<1, 1>>>(data);
    CHECK(cudaMemcpy(host, data, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 55);
    with_words<<<1, 1>>>(data);
    CHECK(cudaMemcpy(host, data, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 7);
    std::printf("rdc_launches: right\n");
}
