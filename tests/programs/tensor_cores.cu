// Matrix multiply with warp matrix operations, against the host.
#include "check.hpp"

#include <cuda_fp16.h>
#include <mma.h>

#include <vector>

using namespace nvcuda;

constexpr int n = 64;

__global__ void multiply(const __half* a, const __half* b, float* c) {
    const int row = blockIdx.y * 16;
    const int column = blockIdx.x * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(left, a + row * n + k, n);
        wmma::load_matrix_sync(right, b + column * n + k, n); // b is stored by columns
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

int main() {
    __half *a, *b;
    float* c;
    CHECK(cudaMallocManaged(&a, n * n * sizeof(__half)));
    CHECK(cudaMallocManaged(&b, n * n * sizeof(__half)));
    CHECK(cudaMallocManaged(&c, n * n * sizeof(float)));
    std::vector<int> left(n * n), right(n * n);
    for (int i = 0; i < n * n; ++i) {
        left[i] = i % 7 - 3;
        right[i] = i % 5 - 2;
        a[i] = __float2half(static_cast<float>(left[i]));
        b[i] = __float2half(static_cast<float>(right[i]));
    }
    multiply<<<dim3(n / 16, n / 16), 32>>>(a, b, c);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            int sum = 0;
            for (int k = 0; k < n; ++k) sum += left[i * n + k] * right[j * n + k];
            EXPECT(c[i * n + j] == static_cast<float>(sum));
        }
    std::printf("tensor_cores: PASS\n");
    return 0;
}
