// Arrays, texture objects and surface objects of the driver API, read and written by kernels of the runtime.
#include "driver.hpp"

#include <vector>

__global__ void read(cudaTextureObject_t texture, float* out, int width, int height) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) out[y * width + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}

__global__ void write(cudaSurfaceObject_t surface, int width) {
    if (threadIdx.x < width) surf2Dwrite(100.0f * blockIdx.x + threadIdx.x, surface, threadIdx.x * sizeof(float), blockIdx.x);
}

constexpr int width = 20, height = 6;

static CUarray make_array() {
    CUDA_ARRAY3D_DESCRIPTOR descriptor = {};
    descriptor.Width = width;
    descriptor.Height = height;
    descriptor.Format = CU_AD_FORMAT_FLOAT;
    descriptor.NumChannels = 1;
    descriptor.Flags = CUDA_ARRAY3D_SURFACE_LDST;
    CUarray array;
    CHECK(cuArray3DCreate(&array, &descriptor));
    CUDA_ARRAY_DESCRIPTOR seen;
    CHECK(cuArrayGetDescriptor(&seen, array));
    EXPECT(seen.Width == width && seen.Height == height && seen.Format == CU_AD_FORMAT_FLOAT && seen.NumChannels == 1);
    return array;
}

static void fill(CUarray array, const std::vector<float>& values) {
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = values.data();
    copy.srcPitch = width * sizeof(float);
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = width * sizeof(float);
    copy.Height = height;
    CHECK(cuMemcpy2D(&copy));
    copy.Height = height + 1;
    EXPECT(cuMemcpy2D(&copy) == CUDA_ERROR_INVALID_VALUE);
}

static CUtexObject make_texture(CUarray array) {
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC sampling = {};
    for (CUaddress_mode& mode : sampling.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
    sampling.filterMode = CU_TR_FILTER_MODE_POINT;
    CUtexObject texture;
    CHECK(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
    CUDA_RESOURCE_DESC seen;
    CHECK(cuTexObjectGetResourceDesc(&seen, texture));
    EXPECT(seen.resType == CU_RESOURCE_TYPE_ARRAY && seen.res.array.hArray == array);
    return texture;
}

int main() {
    CHECK(cudaFree(nullptr));
    const CUarray array = make_array();
    std::vector<float> values(width * height), back(width * height);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    fill(array, values);
    const CUtexObject texture = make_texture(array);
    float* out;
    CHECK(cudaMalloc(&out, back.size() * sizeof(float)));
    read<<<height, 32>>>(texture, out, width, height);
    CHECK(cudaMemcpy(back.data(), out, back.size() * sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT(back == values);

    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUsurfObject surface;
    CHECK(cuSurfObjectCreate(&surface, &resource));
    write<<<height, 32>>>(surface, width);
    CHECK(cudaDeviceSynchronize());
    CUDA_MEMCPY2D rows = {}; // 1 and 2
    rows.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    rows.srcArray = array;
    rows.srcY = 1;
    rows.dstMemoryType = CU_MEMORYTYPE_HOST;
    rows.dstHost = back.data();
    rows.dstPitch = width * sizeof(float);
    rows.WidthInBytes = width * sizeof(float);
    rows.Height = 2;
    CHECK(cuMemcpy2D(&rows));
    for (int i = 0; i < 2 * width; ++i) EXPECT(back[i] == 100.0f * (1 + i / width) + i % width);
    CHECK(cuSurfObjectDestroy(surface));
    CHECK(cuTexObjectDestroy(texture));
    CHECK(cuArrayDestroy(array));
    if (emulated()) EXPECT(cuArrayDestroy(array) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(cudaFree(out));
    std::printf("driver_texture: arrays are read and written\n");
}
