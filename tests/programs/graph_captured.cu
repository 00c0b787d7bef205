// A graph captured from two streams that fork and join, launched many times, then updated from a second capture.
#include "check.hpp"

#include <vector>

__global__ void scale(float* v, int n, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= factor;
}

__global__ void add(float* to, const float* from, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] += from[i];
}

constexpr int n = 1000;

cudaGraph_t capture(cudaStream_t main_stream, cudaStream_t side, cudaEvent_t fork, cudaEvent_t join, float* a, float* b, float* out,
                    float factor) {
    CHECK(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, main_stream));
    CHECK(cudaStreamWaitEvent(side, fork, 0));
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(side, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    scale<<<4, 256, 0, main_stream>>>(a, n, factor);
    scale<<<4, 256, 0, side>>>(b, n, factor);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(join, side));
    CHECK(cudaStreamWaitEvent(main_stream, join, 0));
    add<<<4, 256, 0, main_stream>>>(a, b, n);
    CHECK(cudaMemcpyAsync(out, a, n * sizeof(float), cudaMemcpyDeviceToHost, main_stream));
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamEndCapture(main_stream, &graph));
    EXPECT(graph != nullptr);
    return graph;
}

int main() {
    float *a, *b, *out;
    CHECK(cudaMalloc(&a, n * sizeof(float)));
    CHECK(cudaMalloc(&b, n * sizeof(float)));
    CHECK(cudaMallocHost(&out, n * sizeof(float)));
    const std::vector<float> ones(n, 1.0f);
    CHECK(cudaMemcpy(a, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    cudaStream_t main_stream, side;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreate(&main_stream));
    CHECK(cudaStreamCreate(&side));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

    cudaGraph_t graph = capture(main_stream, side, fork, join, a, b, out, 2.0f);
    std::size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT(nodes == 4);
    std::size_t roots = 0;
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    EXPECT(roots == 2);
    std::vector<float> before(n);
    CHECK(cudaMemcpy(before.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT(before[0] == 1.0f); // a capture runs nothing

    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    float expected_a = 1, expected_b = 1;
    for (int i = 0; i < 5; ++i) {
        CHECK(cudaGraphLaunch(exec, main_stream));
        expected_b *= 2;
        expected_a = expected_a * 2 + expected_b;
    }
    CHECK(cudaStreamSynchronize(main_stream));
    for (int i = 0; i < n; ++i) EXPECT(out[i] == expected_a);

    cudaGraph_t other = capture(main_stream, side, fork, join, a, b, out, 0.5f);
    cudaGraphExecUpdateResultInfo result;
    CHECK(cudaGraphExecUpdate(exec, other, &result));
    EXPECT(result.result == cudaGraphExecUpdateSuccess);
    CHECK(cudaGraphLaunch(exec, main_stream));
    CHECK(cudaStreamSynchronize(main_stream));
    expected_b *= 0.5f;
    expected_a = expected_a * 0.5f + expected_b;
    EXPECT(out[n - 1] == expected_a);

    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(other));
    std::printf("graph_captured: PASS\n");
    return 0;
}
