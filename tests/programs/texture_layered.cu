// Layered textures of one and two dimensions, filled by cudaMemcpy3D; integers.
#include "check.hpp"
#include "texture_reference.hpp"

#include <cstring>
#include <vector>

constexpr int width = 16, height = 8, layers = 5;

__global__ void two(cudaTextureObject_t texture, float* out) {
    const int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
    out[(layer * height + y) * width + x] = tex2DLayered<float>(texture, x + 0.75f, y + 0.25f, layer);
}
__global__ void one(cudaTextureObject_t texture, int* out) {
    out[blockIdx.x * width + threadIdx.x] = tex1DLayered<int>(texture, threadIdx.x + 0.5f, blockIdx.x);
}

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter) {
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof(how));
    for (auto& mode : how.addressMode) mode = cudaAddressModeClamp;
    how.filterMode = filter;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}

template<class T> cudaArray_t filled(std::vector<T>& data, cudaExtent extent) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, extent, cudaArrayLayered));
    cudaMemcpy3DParms copy;
    std::memset(&copy, 0, sizeof(copy));
    const size_t rows = extent.height == 0 ? 1 : extent.height;
    copy.srcPtr = make_cudaPitchedPtr(data.data(), extent.width * sizeof(T), extent.width, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, rows, extent.depth);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaChannelFormatDesc back;
    cudaExtent size;
    unsigned flags;
    CHECK(cudaArrayGetInfo(&back, &size, &flags, array));
    EXPECT(back.x == format.x && back.f == format.f && flags == cudaArrayLayered);
    EXPECT(size.width == extent.width && size.height == extent.height && size.depth == extent.depth);
    return array;
}

int main() {
    std::vector<float> image(width * height * layers);
    for (size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i * i % 101);
    cudaArray_t array = filled(image, make_cudaExtent(width, height, layers));
    cudaTextureObject_t texture = texture_of(array, cudaFilterModeLinear);
    float* out;
    CHECK(cudaMalloc(&out, image.size() * sizeof(float)));
    two<<<layers, dim3(width, height)>>>(texture, out);
    std::vector<float> got(image.size());
    CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int layer = 0; layer < layers; ++layer)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const double at[] = {x + 0.75, y + 0.25};
                const double wanted = filtered(at, 2, [&](int i, int j, int) -> double {
                    return image[(layer * height + addressed(j, height, cudaAddressModeClamp)) * width +
                                 addressed(i, width, cudaAddressModeClamp)];
                });
                EXPECT(near(got[(layer * height + y) * width + x], wanted));
            }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    std::vector<int> numbers(width * layers);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i) * 1000003 - 77;
    array = filled(numbers, make_cudaExtent(width, 0, layers));
    texture = texture_of(array, cudaFilterModePoint);
    int* integers;
    CHECK(cudaMalloc(&integers, numbers.size() * sizeof(int)));
    one<<<layers, width>>>(texture, integers);
    std::vector<int> read(numbers.size());
    CHECK(cudaMemcpy(read.data(), integers, read.size() * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(read == numbers);
    cudaResourceDesc resource; // integers cannot be filtered
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof(how));
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t none;
    EXPECT(cudaCreateTextureObject(&none, &resource, &how, nullptr) != cudaSuccess);
    (void)cudaGetLastError();
    std::printf("texture_layered: layers of one and two dimensions are right\n");
}
