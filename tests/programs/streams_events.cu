// Streams, events between them, elapsed times, callbacks in order.
#include "check.hpp"

#include <vector>

__global__ void fill(int* to, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = value;
}

__global__ void add(int* to, const int* from, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] += from[i];
}

void note(void* data) { ++*static_cast<int*>(data); }

int main() {
    const int n = 1 << 16;
    int *a, *b, *host, noted = 0;
    cudaStream_t first, second;
    cudaEvent_t start, filled, stop;
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaMallocAsync(&a, n * sizeof(int), first));
    CHECK(cudaMalloc(&b, n * sizeof(int)));
    CHECK(cudaMallocHost(&host, n * sizeof(int)));
    CHECK(cudaEventRecord(start, first));
    fill<<<n / 256, 256, 0, first>>>(a, n, 3);
    CHECK(cudaEventRecord(filled, first));
    fill<<<n / 256, 256, 0, second>>>(b, n, 4);
    CHECK(cudaStreamWaitEvent(second, filled, 0));
    add<<<n / 256, 256, 0, second>>>(a, b, n);
    CHECK(cudaMemcpyAsync(host, a, n * sizeof(int), cudaMemcpyDeviceToHost, second));
    CHECK(cudaLaunchHostFunc(second, note, &noted));
    CHECK(cudaEventRecord(stop, second));
    CHECK(cudaEventSynchronize(stop));
    EXPECT(cudaEventQuery(stop) == cudaSuccess && cudaStreamQuery(second) == cudaSuccess);
    for (int i = 0; i < n; ++i) EXPECT(host[i] == 7);
    EXPECT(noted == 1);
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms > 0.005f && ms < 1.0f);
    EXPECT(cudaEventElapsedTime(&ms, start, filled) == cudaErrorInvalidResourceHandle);
    CHECK(cudaFreeAsync(a, first));
    CHECK(cudaStreamSynchronize(first));
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
    std::printf("streams_events: right\n");
}
