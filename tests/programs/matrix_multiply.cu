// Several kernels for one problem, launched in turn and by function pointer, with 2D grids.
#include "check.hpp"

#include <vector>

constexpr int tile = 16;

__global__ void naive(const float* a, const float* b, float* c, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

__global__ void tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float ta[tile][tile], tb[tile][tile];
    const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    float sum = 0;
    for (int first = 0; first < n; first += tile) {
        ta[threadIdx.y][threadIdx.x] = y < n && first + threadIdx.x < n ? a[y * n + first + threadIdx.x] : 0;
        tb[threadIdx.y][threadIdx.x] = x < n && first + threadIdx.y < n ? b[(first + threadIdx.y) * n + x] : 0;
        __syncthreads();
        for (int k = 0; k < tile; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    if (x < n && y < n) c[y * n + x] = sum;
}

int main() {
    const int n = 70;
    std::vector<float> a(n * n), b(n * n), c(n * n), expected(n * n, 0.0f);
    for (int i = 0; i < n * n; ++i) {
        a[i] = static_cast<float>(i % 7 - 3);
        b[i] = static_cast<float>(i % 5 - 2);
    }
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x)
            for (int k = 0; k < n; ++k) expected[y * n + x] += a[y * n + k] * b[k * n + x];
    const size_t bytes = n * n * sizeof(float);
    float *da, *db, *dc;
    CHECK(cudaMalloc(&da, bytes));
    CHECK(cudaMalloc(&db, bytes));
    CHECK(cudaMalloc(&dc, bytes));
    CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
    const dim3 block(tile, tile), grid((n + tile - 1) / tile, (n + tile - 1) / tile);
    using Function = void (*)(const float*, const float*, float*, int);
    int size = n;
    void* arguments[] = {&da, &db, &dc, &size};
    for (Function kernel : {naive, tiled}) {
        CHECK(cudaMemset(dc, 0xff, bytes));
        CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, 0, nullptr));
        CHECK(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));
        EXPECT(c == expected);
    }
    std::printf("matrix_multiply: both kernels are right\n");
}
