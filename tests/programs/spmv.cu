// A sparse matrix times a vector, a warp for each row, with rows of very different lengths.
#include "check.hpp"

#include <vector>

__global__ void multiply(const int* rows, const int* columns, const double* values, const double* x, double* y, int n) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= n) return;
    double sum = 0;
    for (int k = rows[row] + lane; k < rows[row + 1]; k += 32) sum += values[k] * x[columns[k]];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0) y[row] = sum;
}

template<class T> T* on_device(const std::vector<T>& host) {
    T* device;
    CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

int main() {
    constexpr int n = 600;
    std::vector<int> rows(1, 0), columns;
    std::vector<double> values, x(n), expected(n, 0.0);
    for (int i = 0; i < n; ++i) x[i] = i % 11 - 5;
    for (int row = 0; row < n; ++row) {
        const int length = row % 5 == 0 ? 100 : row % 7;
        for (int k = 0; k < length; ++k) {
            columns.push_back((row * 31 + k * 17) % n);
            values.push_back(k % 4 + 1);
            expected[row] += values.back() * x[columns.back()];
        }
        rows.push_back(static_cast<int>(columns.size()));
    }
    double* y;
    CHECK(cudaMallocManaged(&y, n * sizeof(double)));
    multiply<<<(n * 32 + 127) / 128, 128>>>(on_device(rows), on_device(columns), on_device(values), on_device(x), y, n);
    CHECK(cudaDeviceSynchronize());
    for (int row = 0; row < n; ++row) EXPECT(y[row] == expected[row]);
    std::printf("spmv: PASS\n");
    return 0;
}
