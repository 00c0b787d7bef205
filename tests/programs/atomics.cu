// Atomics on global and shared memory: a histogram, minima and maxima, compare-and-swap, exchange.
#include "check.hpp"

#include <vector>

__global__ void histogram(const unsigned char* data, int n, unsigned* bins) {
    __shared__ unsigned local[64];
    if (threadIdx.x < 64) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[data[i] % 64], 1u);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void extremes(int* low, int* high, unsigned long long* big, float* product, double* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMin(low, 500 - i);
    atomicMax(high, i * 3);
    atomicAdd(big, 1ull << 33);
    atomicAdd(sum, 0.25);
    if (i < 10) {
        int* word = reinterpret_cast<int*>(product);
        int seen = *word;
        int assumed;
        do {
            assumed = seen;
            seen = atomicCAS(word, assumed, __float_as_int(__int_as_float(assumed) * 2));
        } while (seen != assumed);
    }
}

int main() {
    const int n = 50000;
    std::vector<unsigned char> data(n);
    unsigned expected[64] = {}, bins[64], *dbins;
    for (int i = 0; i < n; ++i) ++expected[(data[i] = static_cast<unsigned char>(i * 7 + i / 100)) % 64];
    unsigned char* ddata;
    CHECK(cudaMalloc(&ddata, n));
    CHECK(cudaMalloc(&dbins, sizeof bins));
    CHECK(cudaMemcpy(ddata, data.data(), n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dbins, 0, sizeof bins));
    histogram<<<16, 128>>>(ddata, n, dbins);
    CHECK(cudaMemcpy(bins, dbins, sizeof bins, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; ++i) EXPECT(bins[i] == expected[i]);

    struct Values {
        int low, high;
        unsigned long long big;
        double sum;
        float product;
    } values = {100, 100, 0, 0, 1}, *d;
    CHECK(cudaMalloc(&d, sizeof values));
    CHECK(cudaMemcpy(d, &values, sizeof values, cudaMemcpyHostToDevice));
    extremes<<<4, 256>>>(&d->low, &d->high, &d->big, &d->product, &d->sum);
    CHECK(cudaMemcpy(&values, d, sizeof values, cudaMemcpyDeviceToHost));
    EXPECT(values.low == 500 - 1023);
    EXPECT(values.high == 1023 * 3);
    EXPECT(values.big == 1024ull << 33);
    EXPECT(values.sum == 256);
    EXPECT(values.product == 1024);
    std::printf("atomics: right\n");
}
