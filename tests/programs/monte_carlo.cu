// Random numbers a thread, double-precision functions, a reduction with shuffles.
#include "check.hpp"

#include <cmath>

__device__ double uniform(unsigned long long& state) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state >> 11) / 9007199254740992.0;
}

__global__ void inside(unsigned long long* hits, int tries) {
    unsigned long long state = blockIdx.x * blockDim.x + threadIdx.x + 1;
    unsigned long long own = 0;
    for (int i = 0; i < tries; ++i) {
        const double x = uniform(state);
        const double y = uniform(state);
        if (x * x + y * y < 1) ++own;
    }
    for (int step = 16; step > 0; step /= 2) own += __shfl_xor_sync(0xffffffff, own, step);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, own);
}

__global__ void functions(double* out) {
    const double x = 0.1 + threadIdx.x * 0.05;
    out[threadIdx.x] = sin(x) * sin(x) + cos(x) * cos(x) + exp(log(x)) - x + pow(x, 2.0) - x * x + cbrt(x * x * x) - x + erf(x) + erfc(x);
}

int main() {
    unsigned long long* hits;
    CHECK(cudaMallocManaged(&hits, sizeof *hits));
    *hits = 0;
    constexpr int blocks = 8, threads = 128, tries = 200;
    inside<<<blocks, threads>>>(hits, tries);
    double* out;
    CHECK(cudaMallocManaged(&out, 64 * sizeof(double)));
    functions<<<1, 64>>>(out);
    CHECK(cudaDeviceSynchronize());
    const double pi = 4.0 * static_cast<double>(*hits) / (1.0 * blocks * threads * tries);
    EXPECT(std::fabs(pi - 3.14159) < 0.02);
    for (int i = 0; i < 64; ++i) EXPECT(std::fabs(out[i] - 2.0) < 1e-12);
    std::printf("monte_carlo: PASS\n");
    return 0;
}
