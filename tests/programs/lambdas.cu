// Kernels that take lambdas with captures, and functors.
#include "check.hpp"

template<class F> __global__ void for_each(int n, F f) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

template<class F> void run(int n, F f) { for_each<<<(n + 127) / 128, 128>>>(n, f); }

struct Polynomial {
    float a, b, c;
    __host__ __device__ float operator()(float x) const { return (a * x + b) * x + c; }
};

int main() {
    constexpr int n = 500;
    float* v;
    CHECK(cudaMallocManaged(&v, n * sizeof(float)));
    const float scale = 2.0f;
    const Polynomial p = {1, 2, 3};
    run(n, [=] __device__(int i) { v[i] = scale * i; });
    run(n, [=] __device__(int i) { v[i] = p(v[i]); });
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) EXPECT(v[i] == p(scale * i));
    std::printf("lambdas: PASS\n");
    return 0;
}
