// Two units of -rdc=true: functions, variables, constants and function pointers of the other one; private names that both use.
#include "../check.hpp"

#include "functions.hpp"

static __device__ int state = 1;

__global__ void use(float* data, int* out) {
    extern __shared__ float scratch[];
    scratch[threadIdx.x] = scaled(data[threadIdx.x], threadIdx.x % 4);
    __syncthreads();
    data[threadIdx.x] = chosen(scratch[threadIdx.x]);
    atomicAdd(&counter, 1);
    if (threadIdx.x != 0) return;
    out[0] = ++state;
    out[1] = next_state();
    out[2] = larger<int>(3, 4);
    out[3] = ++*shared_tally();
}

static void expect_squares() {
    float host[32];
    int out[4] = {0};
    for (int i = 0; i < 32; ++i) host[i] = static_cast<float>(i);
    float* data;
    int* values;
    CHECK(cudaMalloc(&data, sizeof host));
    CHECK(cudaMalloc(&values, sizeof out));
    CHECK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
    use<<<1, 32, 32 * sizeof(float)>>>(data, values);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(out, values, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i) EXPECT(host[i] == static_cast<float>(i * (1 + i % 4) * i * (1 + i % 4)));
    EXPECT(out[0] == 2 && out[1] == 1001 && out[2] == 4);
    EXPECT(out[3] == 101 || out[3] == 102);
    CHECK(cudaFree(data));
    CHECK(cudaFree(values));
}

int main() {
    expect_squares();
    int count = 0;
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    EXPECT(count == 37);
    count = 1;
    CHECK(cudaMemcpyToSymbol(counter, &count, sizeof count));
    const float tens[4] = {10, 10, 10, 10};
    CHECK(cudaMemcpyToSymbol(factors, tens, sizeof tens));

    int* data;
    int host[16];
    CHECK(cudaMalloc(&data, sizeof host));
    launch_fill(data, 16);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; ++i) EXPECT(host[i] == (15 - i > 10 ? 15 - i : 10));
    CHECK(cudaFree(data));
    std::printf("rdc_functions: two units are one program\n");
}
