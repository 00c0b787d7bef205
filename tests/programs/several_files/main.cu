// A program of two translation units, each with a fatbin, kernels of the same name and variables of its own.
#include "../check.hpp"

int run_other(int* out);

namespace {
__device__ int counter = 100;
__global__ void count(int* out) { *out = atomicAdd(&counter, 1); }
} // namespace

int main() {
    int* out;
    CHECK(cudaMallocManaged(&out, sizeof(int)));
    for (int i = 0; i < 3; ++i) {
        count<<<1, 1>>>(out);
        CHECK(cudaDeviceSynchronize());
        EXPECT(*out == 100 + i);
    }
    EXPECT(run_other(out) == 200);
    int value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    EXPECT(value == 103);
    std::printf("several_files: PASS\n");
    return 0;
}
