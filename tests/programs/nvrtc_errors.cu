// What goes wrong with run-time compilation: a source with an error has a log, and a cubin is refused with what to do.
#include "nvrtc.hpp"

#include <cstring>

static void broken_source() {
    nvrtcProgram program;
    CHECK(nvrtcCreateProgram(&program, "__global__ void k(int* p) { *p = nonsense; }\n", "broken.cu", 0, nullptr, nullptr));
    const std::string architecture = architecture_flag();
    const char* options[] = {architecture.c_str()};
    EXPECT(nvrtcCompileProgram(program, 1, options) == NVRTC_ERROR_COMPILATION);
    const std::string log = log_of(program);
    EXPECT(log.find("broken.cu(1)") != std::string::npos && log.find("nonsense") != std::string::npos);
    CHECK(nvrtcDestroyProgram(&program));
}

static void machine_code() {
    nvrtcProgram program;
    CHECK(nvrtcCreateProgram(&program, "extern \"C\" __global__ void k(int* p) { *p = 1; }\n", "k.cu", 0, nullptr, nullptr));
    const char* options[] = {"--gpu-architecture=sm_90"};
    CHECK(nvrtcCompileProgram(program, 1, options));
    size_t bytes = 0;
    CHECK(nvrtcGetCUBINSize(program, &bytes));
    EXPECT(bytes > 0);
    std::vector<char> cubin(bytes);
    CHECK(nvrtcGetCUBIN(program, cubin.data()));
    char log[1024] = "";
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CUmodule module;
    EXPECT(cuModuleLoadDataEx(&module, cubin.data(), 2, names, values) == CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT(std::strstr(log, "--gpu-architecture=compute_") != nullptr);

    // The PTX of the same program is there too, and runs.
    const std::string ptx = ptx_of(program);
    CUfunction kernel;
    CHECK(cuModuleLoadData(&module, ptx.c_str()));
    CHECK(cuModuleGetFunction(&kernel, module, "k"));
    CUdeviceptr data;
    int value = 0;
    CHECK(cuMemAlloc(&data, sizeof value));
    void* arguments[] = {&data};
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(&value, data, sizeof value));
    EXPECT(value == 1);
    CHECK(nvrtcDestroyProgram(&program));
}

int main() {
    begin();
    broken_source();
    machine_code();
    std::printf("nvrtc_errors: logs say what is wrong\n");
}
