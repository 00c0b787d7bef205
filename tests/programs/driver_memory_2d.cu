// Pitched memory, copies of rectangles and boxes, fills of one, two and four bytes, and what is known of an address.
#include "driver.hpp"

#include <vector>

static void rectangles() {
    const size_t width = 100, height = 7;
    CUdeviceptr image;
    size_t pitch = 0;
    CHECK(cuMemAllocPitch(&image, &pitch, width, height, 4));
    EXPECT(pitch >= width && pitch % 32 == 0);
    CHECK(cuMemsetD2D8(image, pitch, 0, pitch, height));
    std::vector<unsigned char> host(width * height), back(width * height);
    for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i);

    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host.data();
    copy.srcPitch = width;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = image;
    copy.dstPitch = pitch;
    copy.WidthInBytes = width;
    copy.Height = height;
    CHECK(cuMemcpy2D(&copy));

    // The rectangle from (10, 2), 20 wide and 3 high, to (0, 0) of the host's.
    CUDA_MEMCPY2D part = {};
    part.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    part.srcDevice = image;
    part.srcPitch = pitch;
    part.srcXInBytes = 10;
    part.srcY = 2;
    part.dstMemoryType = CU_MEMORYTYPE_HOST;
    part.dstHost = back.data();
    part.dstPitch = 20;
    part.WidthInBytes = 20;
    part.Height = 3;
    CHECK(cuMemcpy2DAsync(&part, nullptr));
    CHECK(cuCtxSynchronize());
    for (size_t y = 0; y < 3; ++y)
        for (size_t x = 0; x < 20; ++x) EXPECT(back[y * 20 + x] == host[(y + 2) * width + x + 10]);
    part.srcPitch = 5; // narrower than a row
    EXPECT(cuMemcpy2D(&part) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemFree(image));
}

static void boxes() {
    const size_t width = 8, height = 4, depth = 3, bytes = width * height * depth;
    std::vector<unsigned char> host(bytes), back(bytes);
    for (size_t i = 0; i < bytes; ++i) host[i] = static_cast<unsigned char>(200 - i);
    CUdeviceptr volume;
    CHECK(cuMemAlloc(&volume, bytes));
    CHECK(cuMemcpyHtoD(volume, host.data(), bytes));
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = volume;
    copy.srcPitch = width;
    copy.srcHeight = height;
    copy.srcXInBytes = 1;
    copy.srcY = 1;
    copy.srcZ = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = back.data();
    copy.dstPitch = 4;
    copy.dstHeight = 2;
    copy.WidthInBytes = 4;
    copy.Height = 2;
    copy.Depth = 2;
    CHECK(cuMemcpy3D(&copy));
    for (size_t z = 0; z < 2; ++z)
        for (size_t y = 0; y < 2; ++y)
            for (size_t x = 0; x < 4; ++x) EXPECT(back[(z * 2 + y) * 4 + x] == host[((z + 1) * height + y + 1) * width + x + 1]);
    CHECK(cuMemFree(volume));
}

static void fills() {
    CUdeviceptr data;
    CHECK(cuMemAlloc(&data, 64));
    CHECK(cuMemsetD32(data, 0x01020304, 16));
    CHECK(cuMemsetD16(data + 8, 0xabcd, 2));
    CHECK(cuMemsetD8Async(data + 12, 0x7f, 1, nullptr));
    unsigned values[16];
    CHECK(cuMemcpyDtoH(values, data, sizeof values));
    EXPECT(values[0] == 0x01020304 && values[15] == 0x01020304);
    EXPECT(values[2] == 0xabcdabcd);
    EXPECT(values[3] == 0x0102037f);
    EXPECT(cuMemsetD32(data + 2, 0, 1) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemsetD32(data, 0, 17) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemFree(data));
}

static void addresses() {
    CUdeviceptr data;
    CHECK(cuMemAlloc(&data, 1000));
    CUdeviceptr base = 0;
    size_t bytes = 0;
    CHECK(cuMemGetAddressRange(&base, &bytes, data + 10));
    EXPECT(base == data && bytes == 1000);
    CUmemorytype type = {};
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, data + 999));
    EXPECT(type == CU_MEMORYTYPE_DEVICE);
    int device = -1;
    unsigned managed = 7;
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_IS_MANAGED};
    void* results[] = {&device, &managed};
    CHECK(cuPointerGetAttributes(2, attributes, results, data));
    EXPECT(device == 0 && managed == 0);
    CHECK(cuPointerGetAttributes(2, attributes, results, reinterpret_cast<CUdeviceptr>(&device)));
    EXPECT(device == -2);
    int on_stack = 0;
    EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(&on_stack)) ==
           CUDA_ERROR_INVALID_VALUE);

    void* pinned = nullptr;
    CUdeviceptr seen = 0;
    CHECK(cuMemHostAlloc(&pinned, 256, CU_MEMHOSTALLOC_DEVICEMAP));
    CHECK(cuMemHostGetDevicePointer(&seen, pinned, 0));
    CHECK(cuMemsetD8(seen, 9, 256));
    CHECK(cuCtxSynchronize());
    EXPECT(static_cast<unsigned char*>(pinned)[255] == 9);
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, seen));
    EXPECT(type == CU_MEMORYTYPE_HOST);
    CHECK(cuMemFreeHost(pinned));

    CUdeviceptr unified;
    CHECK(cuMemAllocManaged(&unified, 64, CU_MEM_ATTACH_GLOBAL));
    *reinterpret_cast<int*>(unified) = 42;
    CHECK(cuMemcpy(data, unified, 4));
    CHECK(cuMemcpyDtoH(&on_stack, data, 4));
    EXPECT(on_stack == 42);
    CHECK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, unified));
    EXPECT(managed == 1);
    CHECK(cuMemFree(unified));

    size_t before = 0, after = 0, total = 0;
    CHECK(cuMemGetInfo(&before, &total));
    CHECK(cuMemFree(data));
    CHECK(cuMemGetInfo(&after, &total));
    EXPECT(after >= before && after <= total);
    if (emulated()) EXPECT(after == before + 1000); // a GPU takes memory in larger pieces
    EXPECT(cuMemFree(data) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAlloc(&data, total + 1) == CUDA_ERROR_OUT_OF_MEMORY);
}

int main() {
    CHECK(cuInit(0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    rectangles();
    boxes();
    fills();
    addresses();
    std::printf("driver_memory_2d: rectangles, boxes, fills and addresses are right\n");
}
