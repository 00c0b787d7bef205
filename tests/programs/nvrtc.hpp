// For programs that compile at run time: NVRTC's results for CHECK, and from source text to PTX.
#pragma once

#include "driver.hpp"

#include <nvrtc.h>

#include <string>
#include <vector>

inline void check(nvrtcResult error, const char* what, int line) {
    if (error == NVRTC_SUCCESS) return;
    std::printf("line %d: %s: %s\n", line, what, nvrtcGetErrorString(error));
    std::exit(1);
}

inline std::string log_of(nvrtcProgram program) {
    size_t bytes = 0;
    CHECK(nvrtcGetProgramLogSize(program, &bytes));
    std::string log(bytes, '\0');
    CHECK(nvrtcGetProgramLog(program, log.data()));
    return log;
}

inline std::string ptx_of(nvrtcProgram program) {
    size_t bytes = 0;
    CHECK(nvrtcGetPTXSize(program, &bytes));
    std::string ptx(bytes, '\0');
    CHECK(nvrtcGetPTX(program, ptx.data()));
    return ptx;
}

// The flag for the current device's architecture: "--gpu-architecture=compute_90".
inline std::string architecture_flag() {
    int major = 0, minor = 0;
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0));
    return "--gpu-architecture=compute_" + std::to_string(major * 10 + minor);
}

inline void begin() {
    CHECK(cuInit(0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
}
