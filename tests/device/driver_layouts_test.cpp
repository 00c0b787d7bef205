// What src/device/cuda declares of the driver API by itself, against NVIDIA's header where that is installed.
#include "device/cuda/driver.hpp"

#include <cuda.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>

namespace apod::device::cuda {

static_assert(sizeof(LaunchConfiguration) == sizeof(CUlaunchConfig));
static_assert(offsetof(LaunchConfiguration, block) == offsetof(CUlaunchConfig, blockDimX));
static_assert(offsetof(LaunchConfiguration, dynamic_shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(LaunchConfiguration, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(LaunchConfiguration, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(LaunchConfiguration, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
static_assert(sizeof(Uuid) == sizeof(CUuuid));
static_assert(sizeof(Pointer) == sizeof(CUdeviceptr) && sizeof(Status) == sizeof(CUresult));
static_assert(sizeof(DeviceNumber) == sizeof(CUdevice));

// As many parameters, each of the same size: pointers stand for pointers.
template<class Ours, class Theirs> struct SameShape;
template<class... Ours, class... Theirs> struct SameShape<Status (*)(Ours...), CUresult(Theirs...)> {
    static constexpr bool value = [] {
        if constexpr (sizeof...(Ours) != sizeof...(Theirs))
            return false;
        else
            return ((sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>)&&...);
    }();
};
#define APOD_SAME(ours, theirs) static_assert(SameShape<decltype(DriverFunctions::ours), decltype(theirs)>::value, #theirs)
APOD_SAME(init, cuInit);
APOD_SAME(device_name, cuDeviceGetName);
APOD_SAME(device_memory, cuDeviceTotalMem);
APOD_SAME(device_uuid, cuDeviceGetUuid);
APOD_SAME(context_retain, cuDevicePrimaryCtxRetain);
APOD_SAME(allocate, cuMemAlloc);
APOD_SAME(memory_info, cuMemGetInfo);
APOD_SAME(copy_to_device, cuMemcpyHtoD);
APOD_SAME(copy_to_host, cuMemcpyDtoH);
APOD_SAME(fill, cuMemsetD8);
APOD_SAME(allocate_host, cuMemHostAlloc);
APOD_SAME(allocate_managed, cuMemAllocManaged);
APOD_SAME(register_host, cuMemHostRegister);
APOD_SAME(host_device_pointer, cuMemHostGetDevicePointer);
APOD_SAME(module_function, cuModuleGetFunction);
APOD_SAME(launch, cuLaunchKernel);
APOD_SAME(launch_ex, cuLaunchKernelEx);
APOD_SAME(stream_create, cuStreamCreate);
APOD_SAME(stream_wait, cuStreamWaitEvent);
APOD_SAME(copy_async, cuMemcpyAsync);
APOD_SAME(copy_to_device_async, cuMemcpyHtoDAsync);
APOD_SAME(copy_to_host_async, cuMemcpyDtoHAsync);
APOD_SAME(fill_async, cuMemsetD8Async);
APOD_SAME(event_create, cuEventCreate);
APOD_SAME(event_record, cuEventRecord);
APOD_SAME(stream_end_capture, cuStreamEndCapture);
APOD_SAME(graph_instantiate, cuGraphInstantiateWithFlags);
APOD_SAME(graph_launch, cuGraphLaunch);

TEST(DriverLayouts, NumbersAreTheHeaders) {
    EXPECT_EQ(4, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
    EXPECT_EQ(8, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    EXPECT_EQ(5, CU_JIT_ERROR_LOG_BUFFER);
    EXPECT_EQ(6, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
    EXPECT_EQ(13, CU_JIT_GENERATE_LINE_INFO);
    EXPECT_EQ(600, CUDA_ERROR_NOT_READY);
    EXPECT_EQ(1, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    EXPECT_EQ(4, CU_MEMHOSTALLOC_WRITECOMBINED);
    EXPECT_EQ(36, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    EXPECT_EQ(37, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    EXPECT_EQ(108, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE);
    EXPECT_EQ(120, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
}

} // namespace apod::device::cuda
