// Textures over pitched memory; memory that does not fit is refused; copies of runs of an array.
#include "check.hpp"
#include "texture_reference.hpp"

#include <cstring>
#include <vector>

constexpr int width = 21, height = 11;

__global__ void sample(cudaTextureObject_t texture, float2* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    out[y * width + x] = tex2D<float2>(texture, x + 0.875f, y + 0.375f);
}

int main() {
    std::vector<float2> image(width * height), got(width * height);
    for (int i = 0; i < width * height; ++i) image[i] = {static_cast<float>(i * 11 % 50), static_cast<float>(-i)};
    float2 *memory, *out;
    size_t pitch;
    CHECK(cudaMallocPitch(&memory, &pitch, width * sizeof(float2), height));
    CHECK(cudaMalloc(&out, image.size() * sizeof(float2)));
    CHECK(cudaMemcpy2D(memory, pitch, image.data(), width * sizeof(float2), width * sizeof(float2), height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float2>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof(how));
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    sample<<<1, dim3(width, height)>>>(texture, out);
    CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof(float2), cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < 2; ++c) {
                const double at[] = {x + 0.875, y + 0.375};
                const double wanted = filtered(at, 2, [&](int i, int j, int) -> double {
                    const float2 t = image[addressed(j, height, cudaAddressModeClamp) * width + addressed(i, width, cudaAddressModeClamp)];
                    return c == 0 ? t.x : t.y;
                });
                EXPECT(near(c == 0 ? got[y * width + x].x : got[y * width + x].y, wanted));
            }
    CHECK(cudaDestroyTextureObject(texture));
    cudaTextureObject_t none;
    resource.res.pitch2D.pitchInBytes = pitch + 4; // not a multiple of the alignment
    EXPECT(cudaCreateTextureObject(&none, &resource, &how, nullptr) == cudaErrorInvalidValue);
    resource.res.pitch2D.pitchInBytes = pitch;
    resource.res.pitch2D.height = 100 * height; // beyond the allocation, which a GPU lets pass
    if (emulated()) EXPECT(cudaCreateTextureObject(&none, &resource, &how, nullptr) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
    CHECK(cudaMallocArray(&array, &format, width, height));
    CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, memory, pitch, width * sizeof(float2), height, cudaMemcpyDeviceToDevice));
    std::vector<float2> part(6 * 4);
    CHECK(cudaMemcpy2DFromArrayAsync(part.data(), 6 * sizeof(float2), array, 3 * sizeof(float2), 2, 6 * sizeof(float2), 4,
                                     cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
    for (int y = 0; y < 4; ++y) EXPECT(std::memcmp(&part[y * 6], &image[(y + 2) * width + 3], 6 * sizeof(float2)) == 0);
    EXPECT(cudaMemcpy2DFromArray(part.data(), 6 * sizeof(float2), array, 18 * sizeof(float2), 2, 6 * sizeof(float2), 4,
                                 cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    CHECK(cudaFreeArray(array));
    std::printf("texture_pitch: pitched memory is read as it should\n");
}
