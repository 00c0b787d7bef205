// Functions on the device that call themselves and each other.
#include "check.hpp"

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ bool odd(int n);
__device__ __noinline__ bool even(int n) { return n == 0 || odd(n - 1); }
__device__ __noinline__ bool odd(int n) { return n != 0 && even(n - 1); }
__device__ __noinline__ int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void run(int* out) {
    const int i = threadIdx.x;
    out[i] = fibonacci(i % 12) * 4 + (even(i) ? 1 : 0) + (odd(i) ? 2 : 0);
    if (i == 0) out[blockDim.x] = ackermann(2, 3);
}

int fibonacci_host(int n) { return n < 2 ? n : fibonacci_host(n - 1) + fibonacci_host(n - 2); }

int main() {
    int* out;
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
    CHECK(cudaMallocManaged(&out, 65 * sizeof(int)));
    run<<<1, 64>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i) EXPECT(out[i] == fibonacci_host(i % 12) * 4 + (i % 2 == 0 ? 1 : 2));
    EXPECT(out[64] == 9);
    std::printf("recursion: PASS\n");
    return 0;
}
