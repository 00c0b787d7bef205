// Functions of the host in a stream's order.
#include "check.hpp"

#include <vector>

__global__ void set(int* v, int value) { *v = value; }

struct Log {
    int* mapped;
    std::vector<int> seen;
};

void note(void* data) {
    Log* log = static_cast<Log*>(data);
    log->seen.push_back(*log->mapped);
}

void CUDART_CB with_status(cudaStream_t, cudaError_t status, void* data) {
    EXPECT(status == cudaSuccess);
    note(data);
}

int main() {
    Log log;
    CHECK(cudaHostAlloc(&log.mapped, sizeof(int), cudaHostAllocMapped));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    for (int i = 1; i <= 3; ++i) {
        set<<<1, 1, 0, stream>>>(log.mapped, i * 10);
        CHECK(cudaLaunchHostFunc(stream, note, &log));
    }
    set<<<1, 1, 0, stream>>>(log.mapped, 99);
    CHECK(cudaStreamAddCallback(stream, with_status, &log, 0));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT((log.seen == std::vector<int>{10, 20, 30, 99}));
    std::printf("callbacks: PASS\n");
    return 0;
}
