// Elapsed times come from the emulated clock: longer work takes longer, equal work the same, and asking for them follows CUDA's rules.
#include "check.hpp"

__global__ void work(float* v, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = v[i];
    for (int r = 0; r < rounds; ++r) x = x * 1.0001f + 0.5f;
    v[i] = x;
}

float timed(float* v, int rounds) {
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    work<<<64, 256>>>(v, rounds);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return ms;
}

int main() {
    float* v;
    CHECK(cudaMalloc(&v, 64 * 256 * sizeof(float)));
    CHECK(cudaMemset(v, 0, 64 * 256 * sizeof(float)));
    (void)timed(v, 1); // a GPU's first launch loads the kernel
    const float brief = timed(v, 10);
    const float longer = timed(v, 3000);
    EXPECT(brief > 0 && brief < 1);
    EXPECT(longer > (emulated() ? 2 * brief : brief)); // a GPU takes longer for the first launches
    cudaEvent_t untimed, fresh;
    CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&fresh));
    CHECK(cudaEventRecord(untimed));
    float ms = 0;
    EXPECT(cudaEventElapsedTime(&ms, untimed, untimed) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventElapsedTime(&ms, fresh, fresh) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventQuery(fresh));
    std::printf("event_times: %g and %g ms: PASS\n", brief, longer);
    return 0;
}
