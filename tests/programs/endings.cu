// Ends in the way that its argument names, after one launch that went well: endings_test.cpp looks at what `apod run` says then. "repeat"
// launches a kernel ten times, in two shapes.
#include "check.hpp"

#include <chrono>
#include <cstring>
#include <thread>

#include <unistd.h>

__global__ void fine(int* v) { v[threadIdx.x] = 1; }
__global__ void spin(volatile int* v) {
    while (v[0] == 1) {
    }
}
__global__ void add(int* v) { v[threadIdx.x] += 1; }
__global__ void stray(int* v) { v[1 << 22] = 1; }

// A kernel that waits for what the host writes after the launch, or another thread of it.
cudaError_t wait_for_the_host(bool by_thread) {
    int* flag;
    CHECK(cudaMallocHost(&flag, sizeof *flag));
    *flag = 1;
    std::thread writer;
    if (by_thread)
        writer = std::thread([flag] {
            std::this_thread::sleep_for(std::chrono::seconds(13));
            *static_cast<volatile int*>(flag) = 0;
        });
    spin<<<1, 1>>>(flag);
    *static_cast<volatile int*>(flag) = 0;
    const cudaError_t ended = cudaDeviceSynchronize();
    if (writer.joinable()) writer.join();
    return ended;
}

int main(int argc, char** argv) {
    int* v;
    CHECK(cudaMalloc(&v, 1024));
    fine<<<1, 32>>>(v);
    CHECK(cudaDeviceSynchronize());
    const char* how = argc > 1 ? argv[1] : "";
    if (std::strcmp(how, "abort") == 0) std::abort();
    if (std::strcmp(how, "crash") == 0) *static_cast<volatile int*>(nullptr) = 1;
    if (std::strcmp(how, "exit") == 0) return 5;
    if (std::strcmp(how, "spin") == 0) spin<<<1, 1>>>(v);
    if (std::strcmp(how, "waits") == 0 || std::strcmp(how, "thread") == 0) {
        const cudaError_t ended = wait_for_the_host(std::strcmp(how, "thread") == 0);
        if (ended == cudaErrorLaunchTimeout) return 7;
        CHECK(ended);
    }
    if (std::strcmp(how, "repeat") == 0) {
        CHECK(cudaMemset(v, 0, 1024));
        for (int i = 0; i < 7; ++i) add<<<1, 64>>>(v);
        for (int i = 0; i < 3; ++i) add<<<1, 32>>>(v);
        int host[64];
        CHECK(cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost));
        EXPECT(host[0] == 10 && host[63] == 7); // all of them ran, counted or not
    }
    if (std::strcmp(how, "refused") == 0) {
        fine<<<4, 2048>>>(v); // nobody asks for its error
        for (int i = 0; i < 3; ++i) fine<<<1, 32, 300000>>>(v);
        int host[512];
        cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost); // twice as much as there is
        cudaPointerAttributes attributes;
        cudaPointerGetAttributes(&attributes, reinterpret_cast<void*>(16)); // answers, whatever it answers
        EXPECT(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorInvalidDevice);
        cudaGetLastError();
    }
    if (std::strcmp(how, "lost") == 0) CHECK(cudaMalloc(&v, 77));
    if (std::strcmp(how, "near") == 0) {
        add<<<1, 266>>>(v); // ten threads more than there is room for
        CHECK(cudaDeviceSynchronize());
    }
    if (std::strcmp(how, "fault") == 0) {
        stray<<<1, 1>>>(v);
        return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 6 : 0;
    }
    if (std::strcmp(how, "child") == 0) { // one process more, which says who it is and does not end
        const pid_t child = fork();
        if (child == 0) execl("/proc/self/exe", "endings", "loop", nullptr);
        std::printf("program %d child %d record %s\n", static_cast<int>(getpid()), static_cast<int>(child), getenv("APOD_RUN_RECORD"));
        std::fflush(stdout);
        for (;;) pause();
    }
    if (std::strcmp(how, "loop") == 0)
        for (volatile int i = 0; i < 1;) {
        }
    std::printf("endings: PASS\n");
    return 0;
}
