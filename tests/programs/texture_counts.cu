// Fetches from textures in every way in which their count could go wrong; texture_counts_test.cpp compares with what an H200 counts.
#include "check.hpp"

// 64 blocks of 128 threads each: 256 warps.
__global__ void three(cudaTextureObject_t t, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = i % 256 + 0.5f, y = i / 256 + 0.5f;
    out[i] = tex2D<float>(t, x, y) + tex2D<float>(t, x + 1, y) + tex2D<float>(t, x, y + 1);
}

__global__ void every_second_warp(cudaTextureObject_t t, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    if (threadIdx.x / 32 % 2 == 0) v = tex2D<float>(t, i % 256 + 0.5f, i / 256 + 0.5f);
    out[i] = v;
}

__global__ void eight_lanes(cudaTextureObject_t t, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    if (threadIdx.x % 32 < 8) v = tex2D<float>(t, i % 256 + 0.5f, i / 256 + 0.5f);
    out[i] = v;
}

__global__ void linear(cudaTextureObject_t t, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex1Dfetch<float>(t, i) + tex1Dfetch<float>(t, i + 32);
}

__global__ void no_texture(float* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
    float* memory;
    float* out;
    CHECK(cudaMalloc(&memory, 256 * 256 * sizeof(float)));
    CHECK(cudaMemset(memory, 0, 256 * 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 64 * 128 * sizeof(float)));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, 256, 256));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, memory, 1024, 1024, 256, cudaMemcpyDeviceToDevice));
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t in_array, in_memory;
    CHECK(cudaCreateTextureObject(&in_array, &resource, &description, nullptr));
    resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = 256 * 256 * sizeof(float);
    CHECK(cudaCreateTextureObject(&in_memory, &resource, &description, nullptr));
    three<<<64, 128>>>(in_array, out);
    every_second_warp<<<64, 128>>>(in_array, out);
    eight_lanes<<<64, 128>>>(in_array, out);
    linear<<<64, 128>>>(in_memory, out);
    no_texture<<<64, 128>>>(out);
    CHECK(cudaDeviceSynchronize());
    std::printf("texture_counts: PASS\n");
    return 0;
}
