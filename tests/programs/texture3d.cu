// 3D textures with trilinear filtering of normalised bytes, filled from a pitched volume and copied array to array.
#include "check.hpp"
#include "texture_reference.hpp"

#include <cstring>
#include <vector>

constexpr int width = 10, height = 7, depth = 5;

__global__ void sample(cudaTextureObject_t texture, const float4* at, float4* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex3D<float4>(texture, at[i].x, at[i].y, at[i].z);
}

// Filled from the host, copied to a second array and back.
cudaArray_t filled_array(const std::vector<uchar4>& volume) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    const cudaExtent extent = make_cudaExtent(width, height, depth);
    cudaArray_t first, array;
    CHECK(cudaMalloc3DArray(&first, &format, extent, 0));
    CHECK(cudaMalloc3DArray(&array, &format, extent, 0));
    cudaMemcpy3DParms copy;
    std::memset(&copy, 0, sizeof(copy));
    copy.srcPtr = make_cudaPitchedPtr(const_cast<uchar4*>(volume.data()), width * sizeof(uchar4), width, height);
    copy.dstArray = first;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    std::memset(&copy, 0, sizeof(copy));
    copy.srcArray = first;
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3DAsync(&copy, nullptr));
    std::vector<uchar4> back(volume.size());
    std::memset(&copy, 0, sizeof(copy));
    copy.srcArray = array;
    copy.dstPtr = make_cudaPitchedPtr(back.data(), width * sizeof(uchar4), width, height);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    EXPECT(std::memcmp(back.data(), volume.data(), volume.size() * sizeof(uchar4)) == 0);
    CHECK(cudaFreeArray(first));
    return array;
}

int main() {
    std::vector<uchar4> volume(width * height * depth);
    for (size_t i = 0; i < volume.size(); ++i)
        volume[i] = {static_cast<unsigned char>(i * 7), static_cast<unsigned char>(i * 13 + 1), static_cast<unsigned char>(i / 3),
                     static_cast<unsigned char>(255 - i % 256)};
    const cudaArray_t array = filled_array(volume);
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof(how));
    for (auto& mode : how.addressMode) mode = cudaAddressModeMirror;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeNormalizedFloat;
    how.normalizedCoords = 1;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    const int n = 1500;
    std::vector<float4> at(n), got(n);
    for (int i = 0; i < n; ++i) at[i] = {std::sin(i * 0.3f) * 2.4f, std::cos(i * 0.7f) * 2.1f, std::sin(i * 1.9f + 1) * 1.7f, 0};
    float4 *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(float4)));
    CHECK(cudaMalloc(&out, n * sizeof(float4)));
    CHECK(cudaMemcpy(in, at.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
    sample<<<(n + 127) / 128, 128>>>(texture, in, out, n);
    CHECK(cudaMemcpy(got.data(), out, n * sizeof(float4), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
        const double x[] = {in_texels(at[i].x, width), in_texels(at[i].y, height), in_texels(at[i].z, depth)};
        const float channels[] = {got[i].x, got[i].y, got[i].z, got[i].w};
        for (int c = 0; c < 4; ++c) {
            const double wanted = filtered(x, 3, [&](int a, int b, int d) -> double {
                const int t = (addressed(d, depth, cudaAddressModeMirror) * height + addressed(b, height, cudaAddressModeMirror)) * width +
                              addressed(a, width, cudaAddressModeMirror);
                return reinterpret_cast<const unsigned char*>(&volume[t])[c] / 255.0;
            });
            EXPECT(near(channels[c], wanted));
        }
    }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    std::printf("texture3d: trilinear filtering is right\n");
}
