// A bitonic sort: steps within shared memory where they fit, in global memory where they do not.
#include "check.hpp"

#include <algorithm>
#include <vector>

constexpr int block = 256;

__device__ void order(unsigned& a, unsigned& b, bool up) {
    if ((a > b) == up) {
        const unsigned t = a;
        a = b;
        b = t;
    }
}

__global__ void global_step(unsigned* v, int stage, int step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int partner = i ^ step;
    if (partner > i) order(v[i], v[partner], (i & stage) == 0);
}

__global__ void shared_steps(unsigned* v, int stage, int first_step) {
    __shared__ unsigned room[block];
    const int i = blockIdx.x * block + threadIdx.x;
    room[threadIdx.x] = v[i];
    __syncthreads();
    for (int step = first_step; step > 0; step /= 2) {
        const int partner = threadIdx.x ^ step;
        if (partner > static_cast<int>(threadIdx.x)) order(room[threadIdx.x], room[partner], (i & stage) == 0);
        __syncthreads();
    }
    v[i] = room[threadIdx.x];
}

int main() {
    constexpr int n = 8192;
    unsigned* v;
    CHECK(cudaMallocManaged(&v, n * sizeof(unsigned)));
    unsigned state = 1;
    for (int i = 0; i < n; ++i) v[i] = state = state * 1664525u + 1013904223u;
    std::vector<unsigned> expected(v, v + n);
    std::sort(expected.begin(), expected.end());
    for (int stage = 2; stage <= n; stage *= 2) {
        int step = stage / 2;
        for (; step >= block; step /= 2) global_step<<<n / block, block>>>(v, stage, step);
        shared_steps<<<n / block, block>>>(v, stage, step);
    }
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) EXPECT(v[i] == expected[i]);
    std::printf("sort: PASS\n");
    return 0;
}
