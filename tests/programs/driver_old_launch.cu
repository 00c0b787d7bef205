// Launches as they were before cuLaunchKernel, which old programs still use.
#include "driver.hpp"

#include <vector>

int main() {
    CHECK(cuInit(0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    CUmodule module;
    CUfunction saxpy;
    CHECK(cuModuleLoadData(&module, saxpy_ptx));
    CHECK(cuModuleGetFunction(&saxpy, module, "saxpy"));
    int n = 1000;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i), y[i] = 1;
    CUdeviceptr dx, dy;
    CHECK(cuMemAlloc(&dx, n * 4));
    CHECK(cuMemAlloc(&dy, n * 4));
    CHECK(cuMemcpyHtoD(dx, x.data(), n * 4));
    CHECK(cuMemcpyHtoD(dy, y.data(), n * 4));
    // float a, pointers at their alignment, int n
    CHECK(cuFuncSetBlockShape(saxpy, 128, 1, 1));
    CHECK(cuFuncSetSharedSize(saxpy, 0));
    CHECK(cuParamSetf(saxpy, 0, 2.0f));
    CHECK(cuParamSetv(saxpy, 8, &dx, sizeof dx));
    CHECK(cuParamSetv(saxpy, 16, &dy, sizeof dy));
    CHECK(cuParamSeti(saxpy, 24, static_cast<unsigned>(n)));
    CHECK(cuParamSetSize(saxpy, 28));
    CHECK(cuLaunchGrid(saxpy, 8, 1));
    CHECK(cuParamSetf(saxpy, 0, 3.0f)); // the rest stays
    CHECK(cuLaunchGridAsync(saxpy, 8, 1, nullptr));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(y.data(), dy, n * 4));
    for (int i = 0; i < n; ++i) EXPECT(y[i] == 5.0f * i + 1);
    EXPECT(cuFuncSetBlockShape(saxpy, 0, 1, 1) == CUDA_ERROR_INVALID_VALUE);
    std::printf("driver_old_launch: right\n");
}
