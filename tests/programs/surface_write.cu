// Surfaces: a kernel turns an image on its side through two of them, boundary modes, 1D and 3D, and what a texture then reads.
#include "check.hpp"

#include <cstring>
#include <vector>

constexpr int width = 40, height = 24;

__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    // Threads outside write nothing and read zeros.
    const uchar4 value = surf2Dread<uchar4>(from, x * static_cast<int>(sizeof(uchar4)), y, cudaBoundaryModeZero);
    surf2Dwrite(value, to, y * static_cast<int>(sizeof(uchar4)), x, cudaBoundaryModeZero);
}
__global__ void clamped(cudaSurfaceObject_t from, uchar4* out) {
    out[threadIdx.x] =
        surf2Dread<uchar4>(from, (static_cast<int>(threadIdx.x) - 8) * static_cast<int>(sizeof(uchar4)), -5, cudaBoundaryModeClamp);
}
__global__ void fill(cudaSurfaceObject_t line, cudaSurfaceObject_t box) {
    surf1Dwrite(static_cast<short>(threadIdx.x * 3), line, static_cast<int>(threadIdx.x * sizeof(short)));
    for (int z = 0; z < 3; ++z)
        surf3Dwrite(make_int2(threadIdx.x, z), box, static_cast<int>(threadIdx.x % 4 * sizeof(int2)), static_cast<int>(threadIdx.x / 4), z);
}
__global__ void look(cudaTextureObject_t texture, float* out) { out[threadIdx.x] = tex2D<float4>(texture, threadIdx.x + 0.5f, 0.5f).x; }

cudaSurfaceObject_t surface_of(cudaArray_t array) {
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    cudaResourceDesc back;
    CHECK(cudaGetSurfaceObjectResourceDesc(&back, surface));
    EXPECT(back.res.array.array == array);
    return surface;
}

int main() {
    std::vector<uchar4> image(width * height), turned(width * height);
    for (int i = 0; i < width * height; ++i)
        image[i] = {static_cast<unsigned char>(i), static_cast<unsigned char>(i / 256), 7, static_cast<unsigned char>(i * 5)};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t from, to, plain;
    CHECK(cudaMallocArray(&from, &format, width, height, cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&to, &format, height, width, cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&plain, &format, width, height));
    CHECK(cudaMemcpy2DToArray(plain, 0, 0, image.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2DArrayToArray(from, 0, 0, plain, 0, 0, width * 4, height, cudaMemcpyDeviceToDevice));
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = plain;
    cudaSurfaceObject_t none;
    if (emulated()) EXPECT(cudaCreateSurfaceObject(&none, &resource) != cudaSuccess); // not made for surfaces, which a GPU lets pass
    (void)cudaGetLastError();
    const cudaSurfaceObject_t in = surface_of(from), out = surface_of(to);
    turn<<<dim3(4, 4), dim3(16, 16)>>>(in, out);
    CHECK(cudaMemcpy2DFromArray(turned.data(), height * 4, to, 0, 0, height * 4, width, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) EXPECT(std::memcmp(&turned[x * height + y], &image[y * width + x], 4) == 0);
    uchar4* edge;
    CHECK(cudaMallocManaged(&edge, 64 * sizeof(uchar4)));
    clamped<<<1, 64>>>(in, edge);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i) EXPECT(std::memcmp(&edge[i], &image[i < 8 ? 0 : i - 8 < width ? i - 8 : width - 1], 4) == 0);
    const cudaChannelFormatDesc shorts = cudaCreateChannelDesc<short>(), pairs = cudaCreateChannelDesc<int2>();
    cudaArray_t line, box;
    CHECK(cudaMallocArray(&line, &shorts, 32, 0, cudaArraySurfaceLoadStore));
    CHECK(cudaMalloc3DArray(&box, &pairs, make_cudaExtent(4, 8, 3), cudaArraySurfaceLoadStore));
    const cudaSurfaceObject_t line_surface = surface_of(line), box_surface = surface_of(box);
    fill<<<1, 32>>>(line_surface, box_surface);
    short values[32];
    CHECK(cudaMemcpy2DFromArray(values, sizeof(values), line, 0, 0, sizeof(values), 1, cudaMemcpyDeviceToHost));
    std::vector<int2> cells(4 * 8 * 3);
    cudaMemcpy3DParms copy;
    std::memset(&copy, 0, sizeof(copy));
    copy.srcArray = box;
    copy.dstPtr = make_cudaPitchedPtr(cells.data(), 4 * sizeof(int2), 4, 8);
    copy.extent = make_cudaExtent(4, 8, 3);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    for (int i = 0; i < 32; ++i) EXPECT(values[i] == 3 * i);
    for (int i = 0; i < 96; ++i) EXPECT(cells[i].x == i % 32 && cells[i].y == i / 32);
    resource.res.array.array = to;
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof(how));
    how.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    float* seen;
    CHECK(cudaMallocManaged(&seen, height * sizeof(float)));
    look<<<1, height>>>(texture, seen);
    CHECK(cudaDeviceSynchronize());
    for (int y = 0; y < height; ++y) EXPECT(seen[y] == static_cast<float>(image[y * width].x / 255.0));
    CHECK(cudaDestroySurfaceObject(in));
    CHECK(cudaDestroySurfaceObject(out));
    std::printf("surface_write: the image lies on its side\n");
}
