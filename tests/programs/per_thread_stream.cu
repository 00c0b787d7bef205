// Built with --default-stream per-thread: the default stream of each host thread is its own and can be captured.
#include "check.hpp"

#include <thread>
#include <vector>

__global__ void fill(int* v, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = value;
}

__constant__ int offset;

__global__ void add_offset(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += offset;
}

void work(int id, bool* right) {
    constexpr int n = 256;
    int* v;
    CHECK(cudaMalloc(&v, n * sizeof(int)));
    CHECK(cudaMemset(v, 0, n * sizeof(int)));
    fill<<<1, n>>>(v, n, id);
    add_offset<<<1, n>>>(v, n);
    std::vector<int> host(n);
    CHECK(cudaMemcpyAsync(host.data(), v, n * sizeof(int), cudaMemcpyDeviceToHost, 0));
    CHECK(cudaStreamSynchronize(0));
    *right = host[0] == id + 10 && host[n - 1] == id + 10;
    CHECK(cudaFree(v));
}

int main() {
    const int ten = 10;
    CHECK(cudaMemcpyToSymbol(offset, &ten, sizeof ten));
    bool right[4] = {};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work, i, &right[i]);
    for (std::thread& thread : threads) thread.join();
    for (const bool ok : right) EXPECT(ok);
    // The legacy stream cannot be captured; the thread's own can.
    int* v;
    CHECK(cudaMalloc(&v, 64 * sizeof(int)));
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal));
    fill<<<1, 64>>>(v, 64, 3);
    CHECK(cudaStreamEndCapture(0, &graph));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    int host = 0;
    CHECK(cudaMemcpy(&host, v + 63, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(host == 3);
    EXPECT(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeThreadLocal) == cudaErrorStreamCaptureUnsupported);
    std::printf("per_thread_stream: PASS\n");
    return 0;
}
