// The runtime API and the driver API in one program: they share devices, contexts, memory and streams.
#include "driver.hpp"

__device__ int shared_counter = 3;

__global__ void add_one(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
    if (i == 0) ++shared_counter;
}

// Pointers and events of one are known to the other.
static void known_to_both(float* data, CUdeviceptr x, cudaStream_t stream) {
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, reinterpret_cast<void*>(x)));
    EXPECT(attributes.type == cudaMemoryTypeDevice);
    CUmemorytype type;
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(data)));
    EXPECT(type == CU_MEMORYTYPE_DEVICE);
    CUevent event;
    CHECK(cuEventCreate(&event, CU_EVENT_DEFAULT));
    CHECK(cudaEventRecord(event, stream));
    CHECK(cudaEventSynchronize(event));
    CHECK(cuEventDestroy(event));
}

// The runtime API works in a context of one's own while that is current.
static void own_context(CUcontext primary) {
    CUcontext own, current;
    float* data;
    CHECK(cuCtxCreate(&own, nullptr, 0, 0));
    CHECK(cudaMalloc(&data, 64));
    CHECK(cuCtxGetCurrent(&current));
    EXPECT(current == own);
    CHECK(cudaFree(data));
    CHECK(cuCtxPopCurrent(&current));
    EXPECT(current == own);
    CHECK(cuCtxGetCurrent(&current));
    EXPECT(current == primary);
    CHECK(cuCtxDestroy(own));
}

int main() {
    int n = 512;
    float* data;
    CHECK(cudaMalloc(&data, n * sizeof(float))); // makes the primary context current, and initialises the driver
    CUcontext current = nullptr, primary = nullptr;
    CHECK(cuCtxGetCurrent(&current));
    CHECK(cuDevicePrimaryCtxRetain(&primary, 0));
    EXPECT(current != nullptr && current == primary);

    CUmodule module;
    CUfunction saxpy;
    CHECK(cuModuleLoadData(&module, saxpy_ptx));
    CHECK(cuModuleGetFunction(&saxpy, module, "saxpy"));
    cudaStream_t stream; // one stream for both
    CHECK(cudaStreamCreate(&stream));
    CUdeviceptr x;
    CHECK(cuMemAlloc(&x, n * sizeof(float)));
    CHECK(cuMemsetD32Async(x, 0x40000000, n, stream)); // 2.0f
    CHECK(cudaMemsetAsync(data, 0, n * sizeof(float), stream));
    float a = 10;
    void* arguments[] = {&a, &x, &data, &n};
    CHECK(cuLaunchKernel(saxpy, 2, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
    add_one<<<2, 256, 0, stream>>>(data, n);
    CHECK(cudaStreamSynchronize(stream));
    float result[512];
    CHECK(cuMemcpyDtoH(result, reinterpret_cast<CUdeviceptr>(data), sizeof result));
    for (const float value : result) EXPECT(value == 21);

    // A kernel of the runtime through the driver, and a symbol's address.
    cudaFunction_t function;
    CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(add_one)));
    void* more[] = {&data, &n};
    CHECK(cuLaunchKernel(reinterpret_cast<CUfunction>(function), 2, 1, 1, 256, 1, 1, 0, nullptr, more, nullptr));
    void* counter = nullptr;
    CHECK(cudaGetSymbolAddress(&counter, shared_counter));
    int count = 0;
    CHECK(cuMemcpyDtoH(&count, reinterpret_cast<CUdeviceptr>(counter), sizeof count));
    EXPECT(count == 5);

    known_to_both(data, x, stream);
    CHECK(cuMemFree(reinterpret_cast<CUdeviceptr>(data)));
    CHECK(cudaFree(reinterpret_cast<void*>(x)));
    CHECK(cudaStreamDestroy(stream));

    own_context(primary);
    std::printf("driver_interop: both APIs see the same\n");
}
