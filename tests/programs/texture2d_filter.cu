// 2D arrays through every addressing mode and filter, with normalised coordinates and without; gathers.
#include "check.hpp"
#include "texture_reference.hpp"

#include <cstring>
#include <vector>

constexpr int width = 13, height = 9;

__global__ void sample(cudaTextureObject_t texture, const float2* at, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2D<float>(texture, at[i].x, at[i].y);
}
__global__ void gather(cudaTextureObject_t texture, const float2* at, float4* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2Dgather<float4>(texture, at[i].x, at[i].y, 0);
}

// What the kernels gave at each place, against the reference.
void expect_right(const std::vector<float>& image, const cudaTextureDesc& how, const std::vector<float2>& at, const std::vector<float>& got,
                  const std::vector<float4>& four) {
    const int n = static_cast<int>(at.size());
    cudaTextureAddressMode modes[2];
    for (int d = 0; d < 2; ++d) {
        modes[d] = how.addressMode[d];
        if (!how.normalizedCoords && modes[d] != cudaAddressModeBorder) modes[d] = cudaAddressModeClamp;
    }
    const auto texel = [&](int x, int y, int) -> double {
        const int i = addressed(x, width, modes[0]), j = addressed(y, height, modes[1]);
        return i < 0 || j < 0 ? -2.5 : image[j * width + i];
    };
    for (int i = 0; i < n; ++i) {
        double x[2] = {at[i].x, at[i].y};
        if (how.normalizedCoords) x[0] = in_texels(at[i].x, width), x[1] = in_texels(at[i].y, height);
        const int fx = static_cast<int>(std::floor(x[0])), fy = static_cast<int>(std::floor(x[1]));
        const double wanted = how.filterMode == cudaFilterModeLinear ? filtered(x, 2, texel) : texel(fx, fy, 0);
        EXPECT(near(got[i], wanted));
        const int gx = static_cast<int>(std::floor(x[0] - 0.5 + 1.0 / 512)), gy = static_cast<int>(std::floor(x[1] - 0.5 + 1.0 / 512));
        EXPECT(near(four[i].x, texel(gx, gy + 1, 0)) && near(four[i].y, texel(gx + 1, gy + 1, 0)));
        EXPECT(near(four[i].z, texel(gx + 1, gy, 0)) && near(four[i].w, texel(gx, gy, 0)));
    }
}

int main() {
    std::vector<float> image(width * height);
    for (int i = 0; i < width * height; ++i) image[i] = std::sin(0.7f * static_cast<float>(i)) * 10;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, width, height, cudaArrayTextureGather));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));
    const int n = 3000;
    std::vector<float2> at(n);
    float2* places;
    float* out;
    float4* gathered;
    CHECK(cudaMalloc(&places, n * sizeof(float2)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMalloc(&gathered, n * sizeof(float4)));
    for (int mode = 0; mode < 16; ++mode) {
        cudaResourceDesc resource;
        std::memset(&resource, 0, sizeof(resource));
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc how;
        std::memset(&how, 0, sizeof(how));
        how.addressMode[0] = static_cast<cudaTextureAddressMode>(mode & 3);
        how.addressMode[1] = static_cast<cudaTextureAddressMode>(mode + 1 & 3);
        how.filterMode = (mode & 4) != 0 ? cudaFilterModeLinear : cudaFilterModePoint;
        how.normalizedCoords = (mode & 8) != 0;
        how.borderColor[0] = -2.5f;
        cudaTextureObject_t texture;
        CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
        cudaTextureDesc back;
        CHECK(cudaGetTextureObjectTextureDesc(&back, texture));
        EXPECT(std::memcmp(&back, &how, sizeof(how)) == 0);
        for (int i = 0; i < n; ++i) {
            at[i] = {static_cast<float>(i % 59) * 0.53f - 9, static_cast<float>(i % 53) * 0.41f - 7};
            if (how.normalizedCoords) at[i] = {at[i].x / width, at[i].y / height};
        }
        CHECK(cudaMemcpy(places, at.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
        sample<<<(n + 127) / 128, 128>>>(texture, places, out, n);
        gather<<<(n + 127) / 128, 128>>>(texture, places, gathered, n);
        std::vector<float> got(n);
        std::vector<float4> four(n);
        CHECK(cudaMemcpy(got.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(four.data(), gathered, n * sizeof(float4), cudaMemcpyDeviceToHost));
        expect_right(image, how, at, got, four);
        CHECK(cudaDestroyTextureObject(texture));
    }
    CHECK(cudaFreeArray(array));
    std::printf("texture2d_filter: every mode is right\n");
}
