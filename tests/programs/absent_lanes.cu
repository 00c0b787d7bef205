// Lanes that name others in a shuffle while those are at another one: nothing that CUDA allows, and no GPU hangs. What they get is not
// said: an H200 gives other sums than the emulator.
#include "check.hpp"

__global__ void rows(const int* lengths, float* to) {
    const int row = threadIdx.x / 16; // two rows a warp, of different lengths
    const int lane = threadIdx.x % 16;
    float sum = 0;
    for (int i = 0; i < lengths[row]; ++i) {
        sum += 1;
        for (int offset = 8; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset, 16) * 0;
    }
    for (int offset = 8; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset, 16) * 0;
    if (lane == 0) to[row] = sum;
}

int main() {
    int* lengths;
    float* to;
    CHECK(cudaMallocManaged(&lengths, 2 * sizeof(int)));
    CHECK(cudaMallocManaged(&to, 2 * sizeof(float)));
    lengths[0] = 3;
    lengths[1] = 8;
    rows<<<1, 32>>>(lengths, to);
    CHECK(cudaDeviceSynchronize()); // it ends
    std::printf("absent_lanes: PASS\n");
    return 0;
}
