// Contexts: stacks of current ones, primary contexts and their flags, threads, limits.
#include "driver.hpp"

#include <thread>

static CUcontext retained() {
    unsigned flags = 99;
    int active = 99;
    CHECK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    EXPECT(active == 0);
    CHECK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
    CUcontext primary, again;
    CHECK(cuDevicePrimaryCtxRetain(&primary, 0));
    CHECK(cuDevicePrimaryCtxRetain(&again, 0));
    EXPECT(primary == again);
    CHECK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    EXPECT(active == 1 && flags == CU_CTX_SCHED_YIELD);
    if (emulated()) EXPECT(cuCtxDestroy(primary) == CUDA_ERROR_INVALID_CONTEXT);
    return primary;
}

// Pushes the primary context on two of its own.
static void stack_of_three(CUcontext primary, CUcontext& first, CUcontext& second) {
    CUcontext current = nullptr;
    unsigned flags = 0;
    CHECK(cuCtxCreate(&first, nullptr, 0, 0));
    CHECK(cuCtxCreate(&second, nullptr, CU_CTX_MAP_HOST, 0));
    CHECK(cuCtxGetFlags(&flags));
    EXPECT(flags == CU_CTX_MAP_HOST);
    unsigned long long first_id = 0, second_id = 0;
    CHECK(cuCtxGetId(first, &first_id));
    CHECK(cuCtxGetId(nullptr, &second_id));
    EXPECT(first_id != second_id);
    CHECK(cuCtxPopCurrent(&current));
    EXPECT(current == second);
    CHECK(cuCtxGetCurrent(&current));
    EXPECT(current == first);
    CHECK(cuCtxPushCurrent(primary));
    CUdevice device = 5;
    CHECK(cuCtxGetDevice(&device));
    EXPECT(device == 0);
    unsigned version = 0;
    CHECK(cuCtxGetApiVersion(first, &version));
    EXPECT(version >= 3000);
    size_t stack = 0;
    CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    CHECK(cuCtxGetLimit(&stack, CU_LIMIT_STACK_SIZE));
    EXPECT(stack == 4096);
    EXPECT(cuCtxGetLimit(&stack, static_cast<CUlimit>(77)) != CUDA_SUCCESS);
}

static void other_thread(CUcontext first) {
    std::thread other([first] {
        CUcontext here = first;
        CHECK(cuCtxGetCurrent(&here));
        EXPECT(here == nullptr);
        CHECK(cuCtxSetCurrent(first));
        CUdeviceptr data;
        CHECK(cuMemAlloc(&data, 100));
        CHECK(cuMemFree(data));
    });
    other.join();
}

int main() {
    CHECK(cuInit(0));
    CUcontext current = reinterpret_cast<CUcontext>(1);
    CHECK(cuCtxGetCurrent(&current));
    EXPECT(current == nullptr);
    EXPECT(cuCtxPopCurrent(&current) == CUDA_ERROR_INVALID_CONTEXT);

    const CUcontext primary = retained();
    CUcontext first, second;
    stack_of_three(primary, first, second);
    other_thread(first);
    CHECK(cuCtxSetCurrent(nullptr)); // takes off the primary context
    CHECK(cuCtxGetCurrent(&current));
    EXPECT(current == first);
    CHECK(cuCtxDestroy(first));
    CHECK(cuCtxGetCurrent(&current));
    EXPECT(current == nullptr);
    CHECK(cuCtxDestroy(second));
    if (emulated()) EXPECT(cuCtxPushCurrent(second) == CUDA_ERROR_INVALID_CONTEXT); // a driver need not survive it
    CHECK(cuDevicePrimaryCtxRelease(0));
    CHECK(cuDevicePrimaryCtxRelease(0));
    EXPECT(cuDevicePrimaryCtxRelease(0) == CUDA_ERROR_INVALID_CONTEXT);
    std::printf("driver_contexts: every thread has its stack\n");
}
