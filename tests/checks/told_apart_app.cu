// Mistakes that lie close to each other, and what is none: tests/checks/CMakeLists.txt runs it under apod check.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(float* out, const float* x, const float* y) {
    out[threadIdx.x] = x[threadIdx.x] + y[threadIdx.x]; // both are uninitialised: two reports
}

__global__ void set(float* out) { out[threadIdx.x] = 1; } // is given memory of the host

__global__ void stop(const float* in) {
    if (in[threadIdx.x] > 0) __trap();
}

int main() {
    static float host[64];
    float *out = nullptr, *x = nullptr, *y = nullptr;
    cudaMalloc(&out, 256);
    cudaMalloc(&x, 256);
    cudaMalloc(&y, 256);
    add<<<1, 64>>>(out, x, y);
    set<<<1, 64>>>(host);
    set<<<1, 64>>>(x);
    stop<<<1, 64>>>(x);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(out); // fails as all calls do after a fault, so that nothing of this is a leak
    cudaFree(x);
    cudaFree(y);
    return 0;
}
