// The ten kernels whose emulation speed bench/emu/emulator_speed.cpp measures: what ordinary CUDA programs do. kernels.ptx is made from
// this file with `nvcc -ptx -arch=compute_80 -lineinfo kernels.cu`.
#include <cstddef>

extern "C" {

__global__ void copy(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

__global__ void transpose_tiled(float* out, const float* in, int n) {
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[static_cast<std::size_t>(y + j) * n + x];
    __syncthreads();
    const int tx = blockIdx.y * 32 + threadIdx.x;
    const int ty = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (tx < n && ty + j < n) out[static_cast<std::size_t>(ty + j) * n + tx] = tile[threadIdx.x][threadIdx.y + j];
}

// One warp a row, CSR.
__global__ void spmv_warp(float* y, const int* offsets, const int* columns, const float* values, const float* x, int rows) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int k = offsets[row] + lane; k < offsets[row + 1]; k += 32) sum += values[k] * x[columns[k]];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0) y[row] = sum;
}

__global__ void matmul_tiled(float* c, const float* a, const float* b, int n) {
    __shared__ float as[16][16];
    __shared__ float bs[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void reduce_blocks(float* out, const float* in, int n) {
    __shared__ float partial[256];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

// 7-point stencil in double precision.
__global__ void stencil7(double* out, const double* in, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    const int plane = n * n;
    for (int z = 1; z < n - 1; ++z) {
        const int i = z * plane + y * n + x;
        out[i] = in[i - plane] + in[i + plane] + in[i - n] + in[i + n] + in[i - 1] + in[i + 1] - 6.0 * in[i];
    }
}

__global__ void histogram(unsigned* bins, const unsigned char* data, int n) {
    __shared__ unsigned local[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

__global__ void nbody(float4* acceleration, const float4* body, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = body[i];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; ++j) {
        const float4 other = body[j];
        const float dx = other.x - me.x;
        const float dy = other.y - me.y;
        const float dz = other.z - me.z;
        const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
        const float scale = other.w * inverse * inverse * inverse;
        ax += scale * dx;
        ay += scale * dy;
        az += scale * dz;
    }
    acceleration[i] = make_float4(ax, ay, az, 0);
}

// The exponentials of a Gaussian mixture's responsibilities.
__global__ void mixture(float* out, const float* x, const float* mean, const float* inverse_sigma, int n, int components) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float total = 0;
    for (int k = 0; k < components; ++k) {
        const float d = (x[i] - mean[k]) * inverse_sigma[k];
        total += __expf(-0.5f * d * d) * inverse_sigma[k];
    }
    out[i] = __logf(total);
}

// Divergent: lanes leave one by one.
__global__ void collatz(int* steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned value = i + 1;
    int count = 0;
    while (value != 1) {
        value = (value & 1) ? 3 * value + 1 : value / 2;
        ++count;
    }
    steps[i] = count;
}
}
