// Streams and events of the driver API: order, callbacks, waiting, elapsed times, priorities, stream-ordered memory.
#include "driver.hpp"

#include <vector>

static void count(void* data) { ++*static_cast<int*>(data); }
static void note(CUstream, CUresult status, void* data) { *static_cast<CUresult*>(data) = status; }

static void make_streams(CUcontext context, CUstream& first, CUstream& second) {
    int least = 1, greatest = 1;
    CHECK(cuCtxGetStreamPriorityRange(&least, &greatest));
    EXPECT(least == 0 && greatest < 0);
    CHECK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamCreateWithPriority(&second, CU_STREAM_NON_BLOCKING, greatest - 10));
    int priority = 1;
    unsigned flags = 0;
    CHECK(cuStreamGetPriority(second, &priority));
    EXPECT(priority == greatest);
    CHECK(cuStreamGetFlags(first, &flags));
    EXPECT(flags == CU_STREAM_NON_BLOCKING);
    CUcontext of_stream = nullptr;
    CHECK(cuStreamGetCtx(first, &of_stream));
    EXPECT(of_stream == context);
}

int main() {
    CHECK(cuInit(0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    CUmodule module;
    CUfunction saxpy;
    CHECK(cuModuleLoadData(&module, saxpy_ptx));
    CHECK(cuModuleGetFunction(&saxpy, module, "saxpy"));

    CUstream first, second;
    make_streams(context, first, second);
    int n = 1 << 16;
    float a = 1;
    CUdeviceptr x, y;
    CHECK(cuMemAllocAsync(&x, n * 4, first));
    CHECK(cuMemAllocAsync(&y, n * 4, first));
    CHECK(cuMemsetD32Async(x, 0x3f800000, n, first)); // 1.0f
    CHECK(cuMemsetD32Async(y, 0, n, first));
    CUevent begin, end;
    CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    void* arguments[] = {&a, &x, &y, &n};
    CHECK(cuEventRecord(begin, first));
    for (int i = 0; i < 3; ++i) CHECK(cuLaunchKernel(saxpy, n / 256, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
    CHECK(cuEventRecord(end, first));
    CHECK(cuStreamWaitEvent(second, end, 0));
    std::vector<float> result(n);
    CHECK(cuMemcpyDtoHAsync(result.data(), y, n * 4, second));
    int calls = 0;
    CUresult status = CUDA_ERROR_UNKNOWN;
    CHECK(cuLaunchHostFunc(second, count, &calls));
    CHECK(cuStreamAddCallback(second, note, &status, 0));
    CHECK(cuStreamSynchronize(second));
    EXPECT(calls == 1 && status == CUDA_SUCCESS);
    for (const float value : result) EXPECT(value == 3);
    CHECK(cuEventSynchronize(end));
    CHECK(cuEventQuery(end));
    float milliseconds = -1;
    CHECK(cuEventElapsedTime(&milliseconds, begin, end));
    EXPECT(milliseconds > 0 && milliseconds < 10);

    CUevent plain;
    CHECK(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
    CHECK(cuEventRecord(plain, first));
    EXPECT(cuEventElapsedTime(&milliseconds, begin, plain) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuMemFreeAsync(x, first));
    CHECK(cuMemFreeAsync(y, first));
    CHECK(cuEventDestroy(begin));
    CHECK(cuEventDestroy(end));
    CHECK(cuEventDestroy(plain));
    CHECK(cuStreamDestroy(first));
    CHECK(cuStreamDestroy(second));
    std::printf("driver_streams_events: order and times are right\n");
}
