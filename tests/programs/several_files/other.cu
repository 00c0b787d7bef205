#include "../check.hpp"

namespace {
__device__ int counter = 200;
__global__ void count(int* out) { *out = atomicAdd(&counter, 1); }
} // namespace

int run_other(int* out) {
    count<<<1, 1>>>(out);
    CHECK(cudaDeviceSynchronize());
    return *out;
}
