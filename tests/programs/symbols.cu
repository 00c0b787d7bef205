// __constant__ and __device__ variables: copies to and from them, offsets, addresses, sizes, initial values.
#include "check.hpp"

__constant__ float weights[8] = {1, 2, 3};
__device__ int counter = 40;
__device__ double table[16];

__global__ void use(float* out) {
    out[threadIdx.x] = weights[threadIdx.x];
    atomicAdd(&counter, 1);
    table[threadIdx.x] += threadIdx.x;
}

int main() {
    float out[8], *dout;
    CHECK(cudaMalloc(&dout, sizeof out));
    const float tail[2] = {70, 80};
    CHECK(cudaMemcpyToSymbol(weights, tail, sizeof tail, 6 * sizeof(float)));
    double half[16];
    for (double& value : half) value = 0.5;
    CHECK(cudaMemcpyToSymbol(table, half, sizeof half));
    use<<<1, 8>>>(dout);
    CHECK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
    const float expected[8] = {1, 2, 3, 0, 0, 0, 70, 80};
    for (int i = 0; i < 8; ++i) EXPECT(out[i] == expected[i]);
    int count = 0;
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    EXPECT(count == 48);
    void* address = nullptr;
    size_t bytes = 0;
    CHECK(cudaGetSymbolAddress(&address, table));
    CHECK(cudaGetSymbolSize(&bytes, table));
    EXPECT(bytes == sizeof half);
    CHECK(cudaMemcpy(half, address, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; ++i) EXPECT(half[i] == 0.5 + (i < 8 ? i : 0));
    EXPECT(cudaMemcpyToSymbol(weights, half, sizeof half) == cudaErrorInvalidValue);
    int not_a_symbol = 0;
    EXPECT(cudaGetSymbolAddress(&address, &not_a_symbol) == cudaErrorInvalidSymbol);
    std::printf("symbols: counter is %d\n", count);
}
