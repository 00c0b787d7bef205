// The driver API from cuInit to the result: PTX text is loaded, and launched with both ways of passing arguments.
#include "driver.hpp"

#include <cstddef>

#include <vector>

int main() {
    CHECK(cuInit(0));
    int version = 0;
    CHECK(cuDriverGetVersion(&version));
    EXPECT(version >= 12000);
    CUdevice device;
    CHECK(cuDeviceGet(&device, 0));
    char name[100] = "";
    CHECK(cuDeviceGetName(name, sizeof name, device));
    EXPECT(name[0] != '\0');
    size_t total = 0;
    CHECK(cuDeviceTotalMem(&total, device));
    EXPECT(total > (size_t{1} << 30));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));

    CUmodule module;
    CHECK(cuModuleLoadData(&module, saxpy_ptx));
    CUfunction saxpy;
    CHECK(cuModuleGetFunction(&saxpy, module, "saxpy"));

    int n = 1000;
    float a = 2;
    const size_t bytes = n * sizeof(float);
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i), y[i] = 1;
    CUdeviceptr dx, dy;
    CHECK(cuMemAlloc(&dx, bytes));
    CHECK(cuMemAlloc(&dy, bytes));
    CHECK(cuMemcpyHtoD(dx, x.data(), bytes));
    CHECK(cuMemcpyHtoD(dy, y.data(), bytes));
    void* arguments[] = {&a, &dx, &dy, &n};
    CHECK(cuLaunchKernel(saxpy, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));

    struct { // as the kernel's parameters lie in memory
        float a;
        CUdeviceptr x, y;
        int n;
    } block = {3, dx, dy, n};
    size_t block_bytes = offsetof(decltype(block), n) + sizeof block.n; // a GPU refuses padding at the end
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &block_bytes, CU_LAUNCH_PARAM_END};
    CHECK(cuLaunchKernel(saxpy, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
    CHECK(cuCtxSynchronize());

    CHECK(cuMemcpyDtoH(y.data(), dy, bytes));
    for (int i = 0; i < n; ++i) EXPECT(y[i] == 5.0f * i + 1);
    CHECK(cuMemFree(dx));
    CHECK(cuMemFree(dy));
    CHECK(cuModuleUnload(module));
    CHECK(cuDevicePrimaryCtxRelease(device));
    std::printf("driver_vector_add: %d sums are right\n", n);
}
