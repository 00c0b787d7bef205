// Kernel templates over types and sizes, functors, structures by value as arguments.
#include "check.hpp"

#include <vector>

template<class T> struct Scale {
    T factor;
    __device__ T operator()(T value) const { return value * factor; }
};

struct Wide {
    char tag;
    double values[5];
    short tail;
};

template<class T, int Unroll, class F> __global__ void apply(T* data, int n, F f) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * Unroll;
#pragma unroll
    for (int i = 0; i < Unroll; ++i)
        if (first + i < n) data[first + i] = f(data[first + i]);
}

__global__ void take(Wide wide, double* out) {
    if (threadIdx.x < 5) out[threadIdx.x] = wide.values[threadIdx.x] + wide.tag + wide.tail;
}

template<class T, int Unroll> void run(T factor) {
    const int n = 1000;
    std::vector<T> host(n);
    for (int i = 0; i < n; ++i) host[i] = static_cast<T>(i);
    T* data;
    CHECK(cudaMalloc(&data, n * sizeof(T)));
    CHECK(cudaMemcpy(data, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    apply<T, Unroll><<<(n / Unroll + 127) / 128 + 1, 128>>>(data, n, Scale<T>{factor});
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) EXPECT(host[i] == static_cast<T>(i) * factor);
    CHECK(cudaFree(data));
}

int main() {
    run<float, 1>(1.5f);
    run<double, 4>(0.25);
    run<int, 2>(-3);
    run<long long, 8>(1ll << 40);
    double out[5], *dout;
    CHECK(cudaMalloc(&dout, sizeof out));
    take<<<1, 32>>>(Wide{1, {10, 20, 30, 40, 50}, 2}, dout);
    CHECK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 5; ++i) EXPECT(out[i] == 10 * (i + 1) + 3);
    std::printf("templates: right\n");
}
