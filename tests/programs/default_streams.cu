// The order that the legacy default stream promises, and streams that do not care about it.
#include "check.hpp"

__global__ void step(int* v, int from, int to) {
    if (*v == from) *v = to;
}

int main() {
    int* v;
    CHECK(cudaMalloc(&v, sizeof(int)));
    CHECK(cudaMemset(v, 0, sizeof(int)));
    cudaStream_t blocking, other;
    CHECK(cudaStreamCreate(&blocking));
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    unsigned flags = 0;
    CHECK(cudaStreamGetFlags(other, &flags));
    EXPECT(flags == cudaStreamNonBlocking);
    step<<<1, 1, 0, blocking>>>(v, 0, 1);
    step<<<1, 1>>>(v, 1, 2); // waits for the blocking stream
    step<<<1, 1, 0, blocking>>>(v, 2, 3);
    step<<<1, 1, 0, cudaStreamLegacy>>>(v, 3, 4);
    CHECK(cudaStreamSynchronize(cudaStreamLegacy));
    step<<<1, 1, 0, other>>>(v, 4, 5);
    CHECK(cudaStreamSynchronize(other));
    CHECK(cudaStreamQuery(other));
    int result = 0;
    CHECK(cudaMemcpy(&result, v, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(result == 5);
    int least = 0, greatest = 0;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    EXPECT(greatest < least);
    cudaStream_t urgent;
    int priority = 0;
    CHECK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamGetPriority(urgent, &priority));
    EXPECT(priority == greatest);
    CHECK(cudaStreamDestroy(urgent));
    std::printf("default_streams: PASS\n");
    return 0;
}
