// Textures over linear memory: every element type, both read modes, reads outside.
#include "check.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

template<class T> __global__ void fetch(cudaTextureObject_t texture, T* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<T>(texture, i);
}
__global__ void fetch_normalised(cudaTextureObject_t texture, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(texture, i);
}

cudaTextureObject_t texture_over(void* memory, size_t bytes, cudaChannelFormatDesc format, cudaTextureReadMode mode) {
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof(how));
    how.readMode = mode;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}

template<class T> void all_elements(const char* what) {
    const int n = 1000;
    std::vector<unsigned char> bytes(n * sizeof(T));
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>((i * 41 + i / 256) & 0x3f);
    void *in, *out;
    CHECK(cudaMalloc(&in, bytes.size()));
    CHECK(cudaMalloc(&out, bytes.size()));
    CHECK(cudaMemcpy(in, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    const cudaTextureObject_t texture = texture_over(in, bytes.size(), cudaCreateChannelDesc<T>(), cudaReadModeElementType);
    fetch<T><<<8, 128>>>(texture, static_cast<T*>(out), n);
    std::vector<unsigned char> got(bytes.size());
    CHECK(cudaMemcpy(got.data(), out, got.size(), cudaMemcpyDeviceToHost));
    if (got != bytes) std::printf("%s: wrong\n", what);
    EXPECT(got == bytes);
    cudaResourceDesc back;
    CHECK(cudaGetTextureObjectResourceDesc(&back, texture));
    EXPECT(back.resType == cudaResourceTypeLinear && back.res.linear.devPtr == in && back.res.linear.sizeInBytes == bytes.size());
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}

template<class T> void normalised(double scale) {
    const int n = 256;
    std::vector<T> values(n);
    for (int i = 0; i < n; ++i) values[i] = static_cast<T>(i * 257 - 32768);
    T* in;
    float* out;
    CHECK(cudaMalloc(&in, n * sizeof(T)));
    CHECK(cudaMalloc(&out, (n + 8) * sizeof(float)));
    CHECK(cudaMemcpy(in, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    const cudaTextureObject_t texture = texture_over(in, n * sizeof(T), cudaCreateChannelDesc<T>(), cudaReadModeNormalizedFloat);
    fetch_normalised<<<1, 288>>>(texture, out, n + 8);
    std::vector<float> got(n + 8);
    CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
        const double exact = values[i] / scale < -1 ? -1 : values[i] / scale;
        EXPECT(got[i] == static_cast<float>(exact));
    }
    for (int i = n; i < n + 8; ++i) EXPECT(got[i] == 0); // outside
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}

int main() {
    all_elements<unsigned char>("uchar");
    all_elements<char4>("char4");
    all_elements<short>("short");
    all_elements<ushort2>("ushort2");
    all_elements<int>("int");
    all_elements<uint4>("uint4");
    all_elements<float>("float");
    all_elements<float2>("float2");
    all_elements<float4>("float4");
    normalised<unsigned char>(255);
    normalised<signed char>(127);
    normalised<unsigned short>(65535);
    normalised<short>(32767);
    size_t widest = 0;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&widest, &format, 0));
    EXPECT(widest >= 1u << 27);
    std::printf("texture1d_linear: every type is right\n");
}
