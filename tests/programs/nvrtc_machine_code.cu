// Asks NVRTC for machine code, as programs do that name a real architecture, and loads what it gets. A virtual architecture has none.
#include "nvrtc.hpp"

static const char* const source = R"(
extern "C" __global__ void square(int* data) { data[threadIdx.x] *= data[threadIdx.x]; }
)";

static std::string code_for(std::string architecture, const char* kind) {
    architecture.replace(architecture.find("compute_"), 8, kind);
    nvrtcProgram program;
    CHECK(nvrtcCreateProgram(&program, source, "square.cu", 0, nullptr, nullptr));
    const char* options[] = {architecture.c_str()};
    CHECK(nvrtcCompileProgram(program, 1, options));
    size_t bytes = 0;
    CHECK(nvrtcGetCUBINSize(program, &bytes));
    std::string code(bytes, '\0');
    if (bytes != 0) CHECK(nvrtcGetCUBIN(program, code.data()));
    CHECK(nvrtcDestroyProgram(&program));
    return code;
}

int main() {
    begin();
    EXPECT(code_for(architecture_flag(), "compute_").empty());
    const std::string code = code_for(architecture_flag(), "sm_");
    EXPECT(!code.empty());

    CUmodule module;
    CUfunction square;
    CHECK(cuModuleLoadData(&module, code.data()));
    CHECK(cuModuleGetFunction(&square, module, "square"));
    int data[32];
    for (int i = 0; i < 32; ++i) data[i] = i - 7;
    CUdeviceptr device;
    CHECK(cuMemAlloc(&device, sizeof data));
    CHECK(cuMemcpyHtoD(device, data, sizeof data));
    void* arguments[] = {&device};
    CHECK(cuLaunchKernel(square, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(data, device, sizeof data));
    for (int i = 0; i < 32; ++i) EXPECT(data[i] == (i - 7) * (i - 7));
    CHECK(cuModuleUnload(module));
    std::printf("nvrtc_machine_code: right\n");
}
