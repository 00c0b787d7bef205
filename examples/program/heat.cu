// Heat spreads over a plate: every step each point becomes the mean of its four neighbours, until little changes.
//
//   nvcc -lineinfo heat.cu -o heat
//   apod run -- ./heat            as a first version usually is
//   apod run -- ./heat mended     after what apod said of it
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

__device__ float mean_of_neighbours(const float* now, int n, int row, int column) {
    const int here = row * n + column;
    return 0.25f * (now[here - n] + now[here + n] + now[here - 1] + now[here + 1]);
}

// A thread a point, neighbouring threads in neighbouring rows.
__global__ void step(float* next, const float* now, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < 1 || column < 1 || row >= n - 1 || column >= n - 1) return;
    next[row * n + column] = mean_of_neighbours(now, n, row, column);
}

// The largest difference of a and b. Floats from 0 on are ordered as the integers of the same bits.
__global__ void largest_change(int* largest, const float* a, const float* b, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) atomicMax(largest, __float_as_int(fabsf(a[i] - b[i])));
}

// The same with neighbouring threads in neighbouring columns.
__global__ void step_mended(float* next, const float* now, int n) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < 1 || column < 1 || row >= n - 1 || column >= n - 1) return;
    next[row * n + column] = mean_of_neighbours(now, n, row, column);
}

// The same with one update a block of 256 threads, each of which looks at several points.
__global__ void largest_change_mended(int* largest, const float* a, const float* b, int count) {
    __shared__ float part[256];
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) mine = fmaxf(mine, fabsf(a[i] - b[i]));
    part[threadIdx.x] = mine;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) atomicMax(largest, __float_as_int(part[0]));
}

int main(int count, char** words) {
    const bool mended = count > 1 && std::strcmp(words[1], "mended") == 0;
    const int n = 512, steps = 20, points = n * n;
    std::vector<float> plate(points);
    for (int column = 0; column < n; ++column) plate[column] = 100; // one hot edge

    float *now = nullptr, *next = nullptr;
    int* largest = nullptr;
    const std::size_t bytes = points * sizeof(float);
    cudaMalloc(&now, bytes);
    cudaMalloc(&next, bytes);
    cudaMalloc(&largest, sizeof(int));
    cudaMemcpy(now, plate.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(next, now, bytes, cudaMemcpyDeviceToDevice);
    float change = 0;
    for (int i = 0; i < steps; ++i) {
        if (mended)
            step_mended<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(next, now, n);
        else
            step<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(next, now, n);
        if (!mended || i == steps - 1) { // who wants to stop early need not look at every step
            cudaMemset(largest, 0, sizeof(int));
            if (mended)
                largest_change_mended<<<132, 256>>>(largest, next, now, points);
            else
                largest_change<<<points / 256, 256>>>(largest, next, now, points);
            cudaMemcpy(&change, largest, sizeof(float), cudaMemcpyDeviceToHost);
        }
        std::swap(now, next);
    }
    cudaMemcpy(plate.data(), now, bytes, cudaMemcpyDeviceToHost);
    std::printf("after %d steps: %.4f beside the hot edge, last change %.4f\n", steps, plate[n + n / 2], change);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    cudaFree(now);
    cudaFree(next);
    cudaFree(largest);
    return error == cudaSuccess ? 0 : 1;
}
