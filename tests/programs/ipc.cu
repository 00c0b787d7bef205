// Memory that two processes share: the second is this program again, with the handles as its arguments.
#include "check.hpp"

#include <cstring>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

__global__ void add(int* v, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += value + i;
}

constexpr int count = 5000;

template<class Handle> std::string text_of(const Handle& handle) {
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < sizeof handle; ++i) {
        const auto byte = reinterpret_cast<const unsigned char*>(&handle)[i];
        text += digits[byte / 16];
        text += digits[byte % 16];
    }
    return text;
}

template<class Handle> Handle handle_of(const char* text) {
    Handle handle;
    for (std::size_t i = 0; i < sizeof handle; ++i) {
        const std::string pair(text + 2 * i, 2);
        reinterpret_cast<unsigned char*>(&handle)[i] = static_cast<unsigned char>(std::stoi(pair, nullptr, 16));
    }
    return handle;
}

int second(char** arguments) {
    void* memory;
    CHECK(cudaIpcOpenMemHandle(&memory, handle_of<cudaIpcMemHandle_t>(arguments[1]), cudaIpcMemLazyEnablePeerAccess));
    cudaEvent_t ready;
    CHECK(cudaIpcOpenEventHandle(&ready, handle_of<cudaIpcEventHandle_t>(arguments[2])));
    CHECK(cudaStreamWaitEvent(nullptr, ready, 0));
    int* v = static_cast<int*>(memory);
    static int host[count];
    CHECK(cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; ++i) EXPECT(host[i] == 7 + i);
    add<<<(count + 255) / 256, 256>>>(v, count, 100);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventDestroy(ready));
    CHECK(cudaIpcCloseMemHandle(memory));
    EXPECT(cudaIpcCloseMemHandle(memory) == cudaErrorInvalidValue);
    return 0;
}

int main(int argc, char** argv) {
    if (argc == 3) return second(argv);
    int* before;
    int* v;
    int* behind;
    CHECK(cudaMalloc(&before, 100)); // neighbours, which nobody shares
    CHECK(cudaMalloc(&v, count * sizeof(int)));
    CHECK(cudaMalloc(&behind, 100));
    CHECK(cudaMemset(behind, 5, 100));
    CHECK(cudaMemset(v, 0, count * sizeof(int)));
    add<<<(count + 255) / 256, 256>>>(v, count, 7);
    cudaEvent_t ready;
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming | cudaEventInterprocess));
    CHECK(cudaEventRecord(ready));
    CHECK(cudaDeviceSynchronize());
    cudaIpcMemHandle_t memory;
    CHECK(cudaIpcGetMemHandle(&memory, v));
    cudaIpcEventHandle_t event;
    CHECK(cudaIpcGetEventHandle(&event, ready));
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl("/proc/self/exe", argv[0], text_of(memory).c_str(), text_of(event).c_str(), nullptr);
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    static int host[count];
    CHECK(cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; ++i) EXPECT(host[i] == 107 + 2 * i);
    unsigned char neighbour[100];
    CHECK(cudaMemcpy(neighbour, behind, sizeof neighbour, cudaMemcpyDeviceToHost));
    EXPECT(neighbour[0] == 5 && neighbour[99] == 5);
    int on_host = 0;
    EXPECT(cudaIpcGetMemHandle(&memory, &on_host) == cudaErrorInvalidValue);
    CHECK(cudaFree(v));
    CHECK(cudaFree(before));
    CHECK(cudaFree(behind));
    CHECK(cudaEventDestroy(ready));
    std::printf("ipc: PASS\n");
    return 0;
}
