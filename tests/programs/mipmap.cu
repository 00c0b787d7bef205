// A mipmapped array whose levels a kernel makes from each other, then read with levels of detail and gradients.
#include "check.hpp"
#include "texture_reference.hpp"

#include <cstring>
#include <vector>

constexpr int size = 32, levels = 6;

__global__ void halve(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int n) {
    const int x = threadIdx.x, y = threadIdx.y;
    if (x >= n || y >= n) return;
    float sum = 0;
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) sum += surf2Dread<float>(from, (2 * x + i) * static_cast<int>(sizeof(float)), 2 * y + j);
    surf2Dwrite(sum / 4, to, x * static_cast<int>(sizeof(float)), y);
}
__global__ void by_level(cudaTextureObject_t texture, float u, float v, float* out) {
    out[threadIdx.x] = tex2DLod<float>(texture, u, v, threadIdx.x * 0.125f - 0.5f);
}
__global__ void by_gradient(cudaTextureObject_t texture, float u, float v, float* out) {
    const float step = exp2f(threadIdx.x * 0.125f - 0.5f) / size; // texels of the finest level
    out[threadIdx.x] = tex2DGrad<float>(texture, u, v, make_float2(step, 0), make_float2(0, step / 2));
}

// The finest level from the host, each further one by the kernel; what they hold.
std::vector<std::vector<float>> make_levels(cudaMipmappedArray_t mipmap) {
    std::vector<std::vector<float>> image(levels);
    image[0].resize(size * size);
    for (int i = 0; i < size * size; ++i) image[0][i] = static_cast<float>(i * 37 % 64);
    std::vector<cudaSurfaceObject_t> surfaces(levels);
    for (int l = 0; l < levels; ++l) {
        cudaResourceDesc resource;
        std::memset(&resource, 0, sizeof(resource));
        resource.resType = cudaResourceTypeArray;
        CHECK(cudaGetMipmappedArrayLevel(&resource.res.array.array, mipmap, l));
        cudaExtent extent;
        CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, resource.res.array.array));
        EXPECT(static_cast<int>(extent.width) == size >> l && static_cast<int>(extent.height) == size >> l);
        CHECK(cudaCreateSurfaceObject(&surfaces[l], &resource));
        if (l == 0)
            CHECK(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, image[0].data(), size * 4, size * 4, size, cudaMemcpyHostToDevice));
        else {
            const int n = size >> l;
            halve<<<1, dim3(16, 16)>>>(surfaces[l - 1], surfaces[l], n);
            image[l].resize(n * n);
            for (int y = 0; y < n; ++y)
                for (int x = 0; x < n; ++x) {
                    float sum = 0;
                    for (int j = 0; j < 2; ++j)
                        for (int i = 0; i < 2; ++i) sum += image[l - 1][(2 * y + j) * 2 * n + 2 * x + i];
                    image[l][y * n + x] = sum / 4;
                }
        }
    }
    return image;
}

int main() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap;
    CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(size, size, 0), levels, cudaArraySurfaceLoadStore));
    const std::vector<std::vector<float>> image = make_levels(mipmap);
    cudaArray_t beyond;
    EXPECT(cudaGetMipmappedArrayLevel(&beyond, mipmap, levels) != cudaSuccess);
    (void)cudaGetLastError();
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof(how));
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
    how.filterMode = how.mipmapFilterMode = cudaFilterModeLinear;
    how.normalizedCoords = 1;
    how.maxMipmapLevelClamp = levels - 1;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    float* out;
    CHECK(cudaMallocManaged(&out, 64 * sizeof(float)));
    const float u = 0.40625f, v = 0.7109375f;
    for (int way = 0; way < 2; ++way) {
        if (way == 0)
            by_level<<<1, 64>>>(texture, u, v, out);
        else
            by_gradient<<<1, 64>>>(texture, u, v, out);
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < 64; ++i) {
            const double level = std::fmin(std::fmax(i * 0.125 - 0.5, 0), levels - 1);
            const int lower = static_cast<int>(level);
            const auto at = [&](int l) {
                const int n = size >> l;
                const double x[] = {in_texels(u, n), in_texels(v, n)};
                return filtered(x, 2, [&](int a, int b, int) -> double {
                    return image[l][addressed(b, n, cudaAddressModeWrap) * n + addressed(a, n, cudaAddressModeWrap)];
                });
            };
            const double share = level - lower; // eighths: exact in 8 bits
            const double wanted = share == 0 ? at(lower) : (1 - share) * at(lower) + share * at(lower + 1);
            EXPECT(std::abs(out[i] - wanted) < (way == 0 ? 1e-4 : 0.3)); // a gradient's level is rounded to 1/256
        }
    }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeMipmappedArray(mipmap));
    std::printf("mipmap: levels of detail are right\n");
}
