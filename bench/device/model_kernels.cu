// Kernels of many kinds, each in several sizes, beside those that the performance model was fitted to: run under a profiler on hardware and
// under `apod run`, launch by launch the same. tests/differential holds the two against each other.
//
//   nvcc -O3 -std=c++17 -lineinfo -cudart shared -gencode arch=compute_90,code=[compute_90,sm_90] bench/device/model_kernels.cu -o
//   model_kernels ncu --clock-control none --csv --page raw --metrics ... ./model_kernels
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

namespace {

__global__ void fill(float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 1.0f + static_cast<float>(i % 7);
}

__global__ void saxpy(float* y, const float* x, float a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void copy16(float4* out, const float4* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

__global__ void read_strided(float* out, const float* in, int n, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[static_cast<std::size_t>(i) * stride];
}

__device__ std::uint32_t hash(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

__global__ void gather(float* out, const float* in, int n, std::uint32_t mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[hash(i) & mask];
}

__global__ void scatter(float* out, const float* in, int n, std::uint32_t mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[hash(i) & mask] = in[i];
}

// A block a row: sums by shuffles.
__global__ void row_sums(float* out, const float* in, int columns) {
    __shared__ float partial[32];
    const float* row = in + static_cast<std::size_t>(blockIdx.x) * columns;
    float sum = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += row[c];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// A block a row, three passes over it.
__global__ void softmax_rows(float* out, const float* in, int columns) {
    __shared__ float shared;
    const std::size_t row = static_cast<std::size_t>(blockIdx.x) * columns;
    if (threadIdx.x == 0) shared = 0;
    __syncthreads();
    float sum = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += __expf(in[row + c] - 8.0f);
    atomicAdd(&shared, sum);
    __syncthreads();
    const float scale = 1.0f / shared;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) out[row + c] = __expf(in[row + c] - 8.0f) * scale;
}

// Five points of a plane, through shared memory.
__global__ void stencil5(float* out, const float* in, int n) {
    __shared__ float tile[18][34];
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 16 + threadIdx.y;
    const auto at = [&](int cx, int cy) {
        return cx >= 0 && cy >= 0 && cx < n && cy < n ? in[static_cast<std::size_t>(cy) * n + cx] : 0.0f;
    };
    tile[threadIdx.y + 1][threadIdx.x + 1] = at(x, y);
    if (threadIdx.y == 0) tile[0][threadIdx.x + 1] = at(x, y - 1);
    if (threadIdx.y == 15) tile[17][threadIdx.x + 1] = at(x, y + 1);
    if (threadIdx.x == 0) tile[threadIdx.y + 1][0] = at(x - 1, y);
    if (threadIdx.x == 31) tile[threadIdx.y + 1][33] = at(x + 1, y);
    __syncthreads();
    if (x >= n || y >= n) return;
    const int tx = threadIdx.x + 1;
    const int ty = threadIdx.y + 1;
    out[static_cast<std::size_t>(y) * n + x] =
        0.2f * (tile[ty][tx] + tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1]);
}

__global__ void fma_chain(float* out, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 1.0f + i * 1e-6f, b = 0.5f, c = 0.25f, d = 0.125f;
    for (int k = 0; k < rounds; ++k) {
        a = fmaf(a, 0.999f, 0.001f);
        b = fmaf(b, 0.999f, 0.001f);
        c = fmaf(c, 0.999f, 0.001f);
        d = fmaf(d, 0.999f, 0.001f);
    }
    out[i] = a + b + c + d;
}

__global__ void double_chain(double* out, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = 1.0 + i * 1e-6, b = 0.5;
    for (int k = 0; k < rounds; ++k) {
        a = fma(a, 0.999, 0.001);
        b = fma(b, 0.999, 0.001);
    }
    out[i] = a + b;
}

__global__ void sine_chain(float* out, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = i * 1e-3f;
    for (int k = 0; k < rounds; ++k) a = __sinf(a) + __expf(-a * a);
    out[i] = a;
}

__global__ void divisions(std::uint32_t* out, std::uint32_t divisor, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint32_t a = i * 2654435761u + 12345u;
    for (int k = 0; k < rounds; ++k) a = a / (divisor + (k & 3)) + a % 1021u + 77777777u;
    out[i] = a;
}

__global__ void count_global(int* bins, int n, std::uint32_t mask) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(bins + (hash(i) & mask), 1);
}

__global__ void count_shared(int* bins, int n) {
    __shared__ int local[1024];
    for (int b = threadIdx.x; b < 1024; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(local + (hash(i) & 1023u), 1);
    __syncthreads();
    for (int b = threadIdx.x; b < 1024; b += blockDim.x) atomicAdd(bins + b, local[b]);
}

// Half of the lanes, by turns, work twice as long.
__global__ void uneven(float* out, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 1.0f + i * 1e-6f;
    const int mine = (threadIdx.x & 1) != 0 ? 2 * rounds : rounds;
    for (int k = 0; k < mine; ++k) a = fmaf(a, 0.999f, 0.001f);
    out[i] = a;
}

// Column sums: a thread a column.
__global__ void column_sums(float* out, const float* in, int rows, int columns) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= columns) return;
    float sum = 0;
    for (int r = 0; r < rows; ++r) sum += in[static_cast<std::size_t>(r) * columns + c];
    out[c] = sum;
}

// One warp follows indices.
__global__ void chase(int* out, const int* next, int steps) {
    int at = threadIdx.x;
    for (int k = 0; k < steps; ++k) at = next[at];
    out[threadIdx.x] = at;
}

__global__ void make_ring(int* next, int n, int step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) next[i] = static_cast<int>((static_cast<long long>(i) + step) % n);
}

int blocks_for(int n, int threads) { return (n + threads - 1) / threads; }

} // namespace

int main() {
    constexpr std::size_t bytes = 256u << 20;
    char* memory = nullptr;
    if (cudaMalloc(&memory, bytes) != cudaSuccess || cudaMemset(memory, 0, bytes) != cudaSuccess) return 1;
    float* a = reinterpret_cast<float*>(memory);
    float* b = a + (32u << 20); // 128 MiB further
    for (const int n : {1 << 14, 1 << 18, 1 << 21, 1 << 23}) {
        fill<<<blocks_for(n, 256), 256>>>(a, n);
        saxpy<<<blocks_for(n, 128), 128>>>(b, a, 2.0f, n);
        copy16<<<blocks_for(n / 4, 256), 256>>>(reinterpret_cast<float4*>(b), reinterpret_cast<const float4*>(a), n / 4);
        gather<<<blocks_for(n, 256), 256>>>(b, a, n, static_cast<std::uint32_t>(n - 1));
        scatter<<<blocks_for(n, 256), 256>>>(b, a, n, static_cast<std::uint32_t>(n - 1));
    }
    for (const int stride : {2, 8, 33}) read_strided<<<blocks_for(1 << 19, 256), 256>>>(b, a, 1 << 19, stride);
    for (const int columns : {256, 1024, 8192}) {
        row_sums<<<512, 256>>>(b, a, columns);
        softmax_rows<<<512, 256>>>(b, a, columns);
    }
    for (const int n : {256, 1024, 2048}) stencil5<<<dim3(n / 32, n / 16), dim3(32, 16)>>>(b, a, n);
    for (const int rounds : {64, 512}) {
        for (const int blocks : {132, 1320}) {
            fma_chain<<<blocks, 256>>>(a, rounds);
            double_chain<<<blocks, 256>>>(reinterpret_cast<double*>(b), rounds);
            sine_chain<<<blocks, 256>>>(a, rounds);
            divisions<<<blocks, 256>>>(reinterpret_cast<std::uint32_t*>(b), 1000, rounds / 4);
            uneven<<<blocks, 256>>>(a, rounds);
        }
    }
    int* bins = reinterpret_cast<int*>(memory + bytes / 2);
    for (const std::uint32_t count : {1u, 64u, 4096u, 1u << 20}) count_global<<<264, 256>>>(bins, 1 << 20, count - 1);
    for (const int n : {1 << 18, 1 << 21}) count_shared<<<264, 256>>>(bins, n);
    for (const int rows : {64, 512}) column_sums<<<64, 128>>>(b, a, rows, 8192);
    for (const int n : {1 << 12, 1 << 20}) {
        make_ring<<<blocks_for(n, 256), 256>>>(bins, n, 1031);
        chase<<<1, 32>>>(reinterpret_cast<int*>(memory), bins, 2000);
    }
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", error == cudaSuccess ? "PASS" : cudaGetErrorString(error));
    return error == cudaSuccess ? 0 : 1;
}
