// Threads of one warp that fight for a lock, blocks that wait for each other's flags, fences and clocks.
#include "check.hpp"

__device__ int lock = 0;

__global__ void locked(int* counter) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            volatile int* c = counter;
            *c = *c + 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}

__global__ void chain(volatile int* flags, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x > 0)
        while (flags[blockIdx.x - 1] == 0) __nanosleep(20);
    out[blockIdx.x] = blockIdx.x == 0 ? 1 : out[blockIdx.x - 1] * 2 % 1000;
    __threadfence();
    flags[blockIdx.x] = 1;
}

__global__ void clocks(long long* out) {
    const long long before = clock64();
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    out[0] = clock64() - before;
    out[1] = static_cast<long long>(now);
}

int main() {
    int *counter, *flags, *out;
    long long* times;
    CHECK(cudaMallocManaged(&counter, sizeof(int)));
    CHECK(cudaMalloc(&flags, 20 * sizeof(int)));
    CHECK(cudaMemset(flags, 0, 20 * sizeof(int)));
    CHECK(cudaMallocManaged(&out, 20 * sizeof(int)));
    CHECK(cudaMallocManaged(&times, 2 * sizeof(long long)));
    *counter = 0;
    locked<<<4, 64>>>(counter);
    chain<<<20, 32>>>(flags, out);
    clocks<<<1, 1>>>(times);
    CHECK(cudaDeviceSynchronize());
    EXPECT(*counter == 256);
    int expected = 1;
    for (int i = 1; i < 20; ++i) expected = expected * 2 % 1000;
    EXPECT(out[19] == expected);
    EXPECT(times[0] > 0);
    std::printf("spin_lock: PASS\n");
    return 0;
}
