// What is not allowed while a stream is captured, and what becomes of the capture then.
#include "check.hpp"

__global__ void nothing() {}

cudaStream_t a, b, free_stream;
cudaGraph_t graph = nullptr;

void calls_that_wait() {
    EXPECT(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
    EXPECT(cudaStreamEndCapture(a, &graph) == cudaErrorIllegalState);

    // Waiting for captured work makes the capture invalid.
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    nothing<<<1, 1, 0, a>>>();
    EXPECT(cudaStreamSynchronize(a) == cudaErrorStreamCaptureUnsupported);
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(a, &status));
    EXPECT(status == cudaStreamCaptureStatusInvalidated);
    EXPECT(cudaStreamEndCapture(a, &graph) == cudaErrorStreamCaptureInvalidated);
    EXPECT(graph == nullptr);

    // The legacy stream would have to wait for a blocking one.
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
    nothing<<<1, 1>>>();
    EXPECT(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
    EXPECT(cudaStreamEndCapture(a, &graph) == cudaErrorStreamCaptureInvalidated);
}

void allocations() {
    // Allocation is forbidden in global mode, allowed in relaxed mode.
    void* memory = nullptr;
    CHECK(cudaStreamBeginCapture(free_stream, cudaStreamCaptureModeGlobal));
    EXPECT(cudaMalloc(&memory, 16) == cudaErrorStreamCaptureUnsupported);
    EXPECT(cudaStreamEndCapture(free_stream, &graph) == cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamBeginCapture(free_stream, cudaStreamCaptureModeRelaxed));
    CHECK(cudaMalloc(&memory, 16));
    CHECK(cudaStreamEndCapture(free_stream, &graph));
    CHECK(cudaGraphDestroy(graph));
}

void forks() {
    cudaEvent_t event;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    // A fork that is not joined; an end in another stream; an event of work that is not captured.
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaStreamWaitEvent(b, event, 0));
    nothing<<<1, 1, 0, b>>>();
    EXPECT(cudaStreamEndCapture(a, &graph) == cudaErrorStreamCaptureUnjoined);

    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaStreamWaitEvent(b, event, 0));
    EXPECT(cudaStreamEndCapture(b, &graph) == cudaErrorStreamCaptureUnmatched);
    EXPECT(cudaStreamEndCapture(a, &graph) == cudaErrorStreamCaptureInvalidated);

    CHECK(cudaEventRecord(event, b));
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    EXPECT(cudaStreamWaitEvent(a, event, 0) == cudaErrorStreamCaptureIsolation);
    EXPECT(cudaStreamEndCapture(a, &graph) == cudaErrorStreamCaptureInvalidated);
}

int main() {
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking));
    calls_that_wait();
    allocations();
    forks();
    cudaGetLastError();
    nothing<<<1, 1, 0, a>>>();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::printf("capture_errors: PASS\n");
    return 0;
}
