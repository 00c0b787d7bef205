#include "functions.hpp"

__device__ int counter = 5;
__constant__ float factors[4] = {1, 2, 3, 4};
__device__ float (*chosen)(float) = squared;

static __device__ int state = 1000;

__device__ float scaled(float x, int factor) { return x * factors[factor]; }
__device__ float squared(float x) { return x * x; }
__device__ int next_state() { return ++state; }

__global__ static void fill(int* data, int n) {
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = larger<int>(static_cast<int>(threadIdx.x), 10);
    __syncthreads();
    if (threadIdx.x < n) data[threadIdx.x] = buffer[n - 1 - threadIdx.x];
    if (threadIdx.x == 0) ++*shared_tally();
}

void launch_fill(int* data, int n) { fill<<<1, 32, 32 * sizeof(int)>>>(data, n); }
