// cuLaunchKernelEx with attributes, cooperative launches, dynamic shared memory above the default, libraries and their kernels.
#include "driver.hpp"

#include <cstring>

// void reverse(int* data): reverses one block's worth through dynamic shared memory
static const char* const ptx = R"(
.version 7.8
.target sm_60
.address_size 64
.extern .shared .align 16 .b8 buffer[];
.visible .entry reverse(.param .u64 data)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ntid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd2, %rd2, %rd3;
    ld.global.u32 %r3, [%rd2];
    shl.b32 %r4, %r1, 2;
    mov.u32 %r5, buffer;
    add.u32 %r4, %r4, %r5;
    st.shared.u32 [%r4], %r3;
    bar.sync 0;
    sub.u32 %r6, %r2, %r1;
    sub.u32 %r6, %r6, 1;
    shl.b32 %r6, %r6, 2;
    add.u32 %r6, %r6, %r5;
    ld.shared.u32 %r7, [%r6];
    st.global.u32 [%rd2], %r7;
    ret;
}
)";

static void expect_order(CUdeviceptr data, int first, int step) {
    int values[256];
    CHECK(cuMemcpyDtoH(values, data, sizeof values));
    for (int i = 0; i < 256; ++i) EXPECT(values[i] == first + step * i);
}

static CUfunction loaded(CUlibrary& library) {
    CHECK(cuLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    unsigned count = 0;
    CHECK(cuLibraryGetKernelCount(&count, library));
    EXPECT(count == 1);
    CUkernel kernel;
    CUfunction reverse;
    CHECK(cuLibraryGetKernel(&kernel, library, "reverse"));
    CHECK(cuKernelGetFunction(&reverse, kernel));
    const char* name = nullptr;
    CHECK(cuKernelGetName(&name, kernel));
    EXPECT(std::strcmp(name, "reverse") == 0);
    size_t offset = 1, bytes = 0;
    CHECK(cuKernelGetParamInfo(kernel, 0, &offset, &bytes));
    EXPECT(offset == 0 && bytes == 8);
    EXPECT(cuKernelGetParamInfo(kernel, 1, &offset, &bytes) == CUDA_ERROR_INVALID_VALUE);
    return reverse;
}

int main() {
    CHECK(cuInit(0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxPushCurrent(context));
    CUlibrary library;
    const CUfunction reverse = loaded(library);
    int numbers[256];
    for (int i = 0; i < 256; ++i) numbers[i] = i;
    CUdeviceptr data;
    CHECK(cuMemAlloc(&data, sizeof numbers));
    CHECK(cuMemcpyHtoD(data, numbers, sizeof numbers));

    CUstream stream;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CUlaunchAttribute attributes[2] = {};
    attributes[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[0].value.cooperative = 1;
    attributes[1].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    attributes[1].value.priority = -1;
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 256;
    config.blockDimY = config.blockDimZ = 1;
    config.sharedMemBytes = 1024;
    config.hStream = stream;
    config.attrs = attributes;
    config.numAttrs = 2;
    void* arguments[] = {&data};
    CHECK(cuLaunchKernelEx(&config, reverse, arguments, nullptr));
    CHECK(cuStreamSynchronize(stream));
    expect_order(data, 255, -1);
    CHECK(cuLaunchCooperativeKernel(reverse, 1, 1, 1, 256, 1, 1, 1024, stream, arguments));
    CHECK(cuCtxSynchronize());
    expect_order(data, 0, 1);

    // More than the default limit of dynamic shared memory has to be asked for.
    const unsigned large = 64 * 1024;
    EXPECT(cuLaunchKernel(reverse, 1, 1, 1, 256, 1, 1, large, stream, arguments, nullptr) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, large));
    CHECK(cuLaunchKernel(reverse, 1, 1, 1, 256, 1, 1, large, stream, arguments, nullptr));
    CHECK(cuCtxSynchronize());
    expect_order(data, 255, -1);

    CHECK(cuStreamDestroy(stream));
    CHECK(cuMemFree(data));
    CHECK(cuLibraryUnload(library));
    std::printf("driver_launch_ex: attributes and libraries work\n");
}
