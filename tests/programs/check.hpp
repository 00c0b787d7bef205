// What the programs share: a CUDA call that fails, or a value that is wrong, says where and ends the program with exit code 1.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void check(cudaError_t error, const char* what, int line) {
    if (error == cudaSuccess) return;
    std::printf("line %d: %s: %s (%s)\n", line, what, cudaGetErrorName(error), cudaGetErrorString(error));
    std::exit(1);
}

inline void expect(bool right, const char* what, int line) {
    if (right) return;
    std::printf("line %d: not so: %s\n", line, what);
    std::exit(1);
}

// What the emulated device promises beyond CUDA is asked of it alone; all else holds on a GPU too.
inline bool emulated() { return std::getenv("APOD_DEVICE") != nullptr; }

#define CHECK(call) check((call), #call, __LINE__)
#define EXPECT(condition) expect((condition), #condition, __LINE__)
