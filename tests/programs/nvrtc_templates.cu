// Templates compiled at run time: instances by their lowered names, constant memory by name, a header from memory, half precision.
#include "nvrtc.hpp"

#include <cmath>

static const char* const header = "#pragma once\ntemplate<class T> __device__ T twice(T x) { return x + x; }\n";

static const char* const source = R"(
#include <cuda_fp16.h>
#include <twice.cuh>
namespace my {
__constant__ int offset;
template<class T, int step> __global__ void scale(T* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = twice(data[i]) * T(step) + T(offset);
}
template __global__ void scale<int, 3>(int*, int);
}
__global__ void halves(const float* in, __half* out, int n) {
    const int i = threadIdx.x;
    if (i < n) out[i] = __hadd(__float2half(in[i]), __float2half(0.5f));
}
)";

struct Compiled {
    std::string ptx, scale_int, scale_double, offset, halves;
};

static std::string lowered(nvrtcProgram program, const char* expression) {
    const char* name = nullptr;
    CHECK(nvrtcGetLoweredName(program, expression, &name));
    return name;
}

static Compiled compile() {
    const char* headers[] = {header};
    const char* names[] = {"twice.cuh"};
    nvrtcProgram program;
    CHECK(nvrtcCreateProgram(&program, source, "scale.cu", 1, headers, names));
    for (const char* expression : {"my::scale<int, 3>", "my::scale<double, 5>", "&my::offset", "halves"})
        CHECK(nvrtcAddNameExpression(program, expression));
    const std::string architecture = architecture_flag();
    const char* options[] = {architecture.c_str(), "--std=c++17", "-I" TOOLKIT_INCLUDE};
    const nvrtcResult result = nvrtcCompileProgram(program, 3, options);
    if (result != NVRTC_SUCCESS) std::printf("%s\n", log_of(program).c_str());
    CHECK(result);
    Compiled compiled{ptx_of(program), lowered(program, "my::scale<int, 3>"), lowered(program, "my::scale<double, 5>"),
                      lowered(program, "&my::offset"), lowered(program, "halves")};
    CHECK(nvrtcDestroyProgram(&program));
    return compiled;
}

template<class T> static void expect_scaled(CUfunction kernel, T step) {
    std::vector<T> values(100);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i);
    CUdeviceptr data;
    int n = static_cast<int>(values.size());
    CHECK(cuMemAlloc(&data, n * sizeof(T)));
    CHECK(cuMemcpyHtoD(data, values.data(), n * sizeof(T)));
    void* arguments[] = {&data, &n};
    CHECK(cuLaunchKernel(kernel, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(values.data(), data, n * sizeof(T)));
    for (int i = 0; i < n; ++i) EXPECT(values[i] == 2 * i * step + 7);
    CHECK(cuMemFree(data));
}

static void expect_halves(CUfunction kernel) {
    float in[4] = {1, 2, 3.25f, -0.5f};
    unsigned short out[4];
    CUdeviceptr from, to;
    int n = 4;
    CHECK(cuMemAlloc(&from, sizeof in));
    CHECK(cuMemAlloc(&to, sizeof out));
    CHECK(cuMemcpyHtoD(from, in, sizeof in));
    void* arguments[] = {&from, &to, &n};
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(out, to, sizeof out));
    EXPECT(out[0] == 0x3e00 && out[1] == 0x4100 && out[2] == 0x4380 && out[3] == 0); // 1.5, 2.5, 3.75, 0 as halves
}

int main() {
    begin();
    const Compiled compiled = compile();
    CUmodule module;
    CUfunction scale_int, scale_double, halves;
    CHECK(cuModuleLoadData(&module, compiled.ptx.c_str()));
    CHECK(cuModuleGetFunction(&scale_int, module, compiled.scale_int.c_str()));
    CHECK(cuModuleGetFunction(&scale_double, module, compiled.scale_double.c_str()));
    CHECK(cuModuleGetFunction(&halves, module, compiled.halves.c_str()));
    CUdeviceptr offset;
    size_t bytes = 0;
    CHECK(cuModuleGetGlobal(&offset, &bytes, module, compiled.offset.c_str()));
    EXPECT(bytes == sizeof(int));
    const int seven = 7;
    CHECK(cuMemcpyHtoD(offset, &seven, sizeof seven));
    expect_scaled<int>(scale_int, 3);
    expect_scaled<double>(scale_double, 5);
    expect_halves(halves);
    std::printf("nvrtc_templates: instances are found by their lowered names\n");
}
