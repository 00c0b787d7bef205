// Compiles a kernel at run time and launches it through the driver API.
#include "nvrtc.hpp"

static const char* const source = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

int main() {
    begin();
    nvrtcProgram program;
    CHECK(nvrtcCreateProgram(&program, source, "saxpy.cu", 0, nullptr, nullptr));
    const std::string architecture = architecture_flag();
    const char* options[] = {architecture.c_str(), "--fmad=false"};
    const nvrtcResult result = nvrtcCompileProgram(program, 2, options);
    if (result != NVRTC_SUCCESS) std::printf("%s\n", log_of(program).c_str());
    CHECK(result);
    const std::string ptx = ptx_of(program);
    CHECK(nvrtcDestroyProgram(&program));

    CUmodule module;
    CUfunction saxpy;
    CHECK(cuModuleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr));
    CHECK(cuModuleGetFunction(&saxpy, module, "saxpy"));
    int n = 5000;
    float a = 5;
    std::vector<float> x(n), y(n), result_of(n);
    for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i), y[i] = static_cast<float>(2 * i);
    CUdeviceptr dx, dy;
    CHECK(cuMemAlloc(&dx, n * 4));
    CHECK(cuMemAlloc(&dy, n * 4));
    CHECK(cuMemcpyHtoD(dx, x.data(), n * 4));
    CHECK(cuMemcpyHtoD(dy, y.data(), n * 4));
    void* arguments[] = {&a, &dx, &dy, &n};
    CHECK(cuLaunchKernel(saxpy, (n + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(result_of.data(), dy, n * 4));
    for (int i = 0; i < n; ++i) EXPECT(result_of[i] == 7.0f * i);
    CHECK(cuModuleUnload(module));
    std::printf("nvrtc_saxpy: %d sums are right\n", n);
}
