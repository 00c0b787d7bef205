// A two-dimensional five-point stencil with halos in shared memory, in rows that cudaMallocPitch aligned.
#include "check.hpp"

#include <vector>

constexpr int tile = 16;

__global__ void step(const float* in, float* out, std::size_t pitch, int width, int height) {
    __shared__ float room[tile + 2][tile + 2];
    const int x = blockIdx.x * tile + threadIdx.x;
    const int y = blockIdx.y * tile + threadIdx.y;
    const auto at = [&](int column, int row) {
        column = min(max(column, 0), width - 1);
        row = min(max(row, 0), height - 1);
        return reinterpret_cast<const float*>(reinterpret_cast<const char*>(in) + row * pitch)[column];
    };
    const int tx = threadIdx.x + 1;
    const int ty = threadIdx.y + 1;
    room[ty][tx] = at(x, y);
    if (threadIdx.x == 0) room[ty][0] = at(x - 1, y);
    if (threadIdx.x == tile - 1) room[ty][tile + 1] = at(x + 1, y);
    if (threadIdx.y == 0) room[0][tx] = at(x, y - 1);
    if (threadIdx.y == tile - 1) room[tile + 1][tx] = at(x, y + 1);
    __syncthreads();
    if (x >= width || y >= height) return;
    reinterpret_cast<float*>(reinterpret_cast<char*>(out) + y * pitch)[x] =
        room[ty][tx] + room[ty][tx - 1] + room[ty][tx + 1] + room[ty - 1][tx] + room[ty + 1][tx];
}

int main() {
    constexpr int width = 100, height = 75;
    float *a, *b;
    std::size_t pitch = 0;
    CHECK(cudaMallocPitch(&a, &pitch, width * sizeof(float), height));
    CHECK(cudaMallocPitch(&b, &pitch, width * sizeof(float), height));
    std::vector<float> host(width * height), expected(width * height);
    for (int i = 0; i < width * height; ++i) host[i] = static_cast<float>(i % 9);
    CHECK(cudaMemcpy2D(a, pitch, host.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));
    for (int round = 0; round < 3; ++round) {
        step<<<dim3((width + tile - 1) / tile, (height + tile - 1) / tile), dim3(tile, tile)>>>(a, b, pitch, width, height);
        std::swap(a, b);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const auto at = [&](int column, int row) {
                    return host[std::min(std::max(row, 0), height - 1) * width + std::min(std::max(column, 0), width - 1)];
                };
                expected[y * width + x] = at(x, y) + at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
            }
        host = expected;
    }
    std::vector<float> result(width * height);
    CHECK(cudaMemcpy2D(result.data(), width * sizeof(float), a, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost));
    for (int i = 0; i < width * height; ++i) EXPECT(result[i] == expected[i]);
    std::printf("stencil: PASS\n");
    return 0;
}
