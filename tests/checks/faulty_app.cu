// A program with one mistake of each kind that the host's side of a program makes or that needs it: tests/checks/CMakeLists.txt runs it
// under apod check and holds the number of reports against it.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(float* data, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) data[i] *= factor; // one too many: out of bounds
}

__global__ void add(float* out, const float* a, const float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i]; // b is read uninitialised in the first launch, after its end in the second
}

int main() {
    const int n = 256;
    float host[n];
    for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
    float *a = nullptr, *b = nullptr, *out = nullptr, *lost = nullptr;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMalloc(&lost, 100); // a leak
    cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
    scale<<<3, 128>>>(a, n, 2.0f);
    add<<<2, 128>>>(out, a, b, n);
    cudaMemcpy(b, a, sizeof(host), cudaMemcpyDeviceToDevice);
    add<<<2, 128>>>(out, a, b, n); // all is well
    cudaFree(b);
    add<<<2, 128>>>(out, a, b, n);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    cudaFree(b); // twice
    cudaFree(a);
    cudaFree(out);
    std::printf("%g\n", static_cast<double>(host[3]));
    return 0;
}
