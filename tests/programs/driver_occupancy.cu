// Attributes of devices and kernels, and what fits on a multiprocessor.
#include "driver.hpp"

static size_t four_bytes_a_thread(int block) { return 4 * static_cast<size_t>(block); }

int main() {
    CHECK(cuInit(0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    int warp = 0, threads = 0, major = 0, multiprocessors = 0, per_multiprocessor = 0;
    CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    CHECK(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0));
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    CHECK(cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    CHECK(cuDeviceGetAttribute(&per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 0));
    EXPECT(warp == 32 && threads == 1024 && major >= 5 && multiprocessors > 0);
    EXPECT(cuDeviceGetAttribute(&warp, static_cast<CUdevice_attribute>(9999), 0) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 77) == CUDA_ERROR_INVALID_DEVICE);

    CUmodule module;
    CUfunction saxpy;
    CHECK(cuModuleLoadData(&module, saxpy_ptx));
    CHECK(cuModuleGetFunction(&saxpy, module, "saxpy"));
    int value = 0;
    CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, saxpy));
    EXPECT(value == 1024);
    CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, saxpy));
    EXPECT(value > 0 && value <= 64);
    CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, saxpy));
    EXPECT(value == 50);
    CHECK(cuFuncSetCacheConfig(saxpy, CU_FUNC_CACHE_PREFER_L1));

    int blocks = 0;
    CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, saxpy, 256, 0));
    EXPECT(blocks == per_multiprocessor / 256);
    CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, saxpy, 256, 40 * 1024));
    EXPECT(blocks >= 1 && blocks < per_multiprocessor / 256);
    int grid = 0, block = 0;
    CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, saxpy, nullptr, 0, 0));
    EXPECT(block % 32 == 0 && block >= 32 && block <= 1024 && grid >= multiprocessors);
    CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, saxpy, four_bytes_a_thread, 0, 128));
    EXPECT(block <= 128);
    CHECK(cuFuncSetCacheConfig(saxpy, CU_FUNC_CACHE_PREFER_NONE));
    size_t bytes = 0;
    CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, saxpy, 2, 256));
    EXPECT(bytes > (emulated() ? 16 * 1024u : 1024u));
    std::printf("driver_occupancy: attributes and occupancy are plausible\n");
}
