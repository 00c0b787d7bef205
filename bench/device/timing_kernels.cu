// The kernels of timing_cases.hpp. As PTX for apod's own timing: nvcc -O3 -arch=compute_75 -ptx bench/device/timing_kernels.cu
#include <cstdint>

// 8 independent chains of n multiply-adds a thread.
extern "C" __global__ void fma_chain(float* out, const float* in, std::uint64_t n) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    float value[8];
    for (int i = 0; i < 8; ++i) value[i] = in[thread] + static_cast<float>(i);
    const float factor = in[thread] * 1e-6F + 0.999F;
#pragma unroll 1
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(n); ++k)
        for (int i = 0; i < 8; ++i) value[i] = value[i] * factor + 1.0F;
    float sum = 0;
    for (int i = 0; i < 8; ++i) sum += value[i];
    out[thread] = sum;
}

// n vectors of 16 bytes.
extern "C" __global__ void copy(float* out, const float* in, std::uint64_t n) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
        reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
}

// n floats from scattered places; n is a power of two.
extern "C" __global__ void gather(float* out, const float* in, std::uint64_t n) {
    const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[(i * 2654435761U) & (n - 1)];
}

// The sum of n vectors of 16 bytes, one atomic a warp.
extern "C" __global__ void reduce(float* out, const float* in, std::uint64_t n) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    float sum = 0;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        const float4 value = reinterpret_cast<const float4*>(in)[i];
        sum += (value.x + value.y) + (value.z + value.w);
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffU, sum, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

// n x n floats, the naive way: its stores are scattered.
extern "C" __global__ void transpose(float* out, const float* in, std::uint64_t n) {
    const std::uint64_t x = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::uint64_t y = std::uint64_t{blockIdx.y} * blockDim.y + threadIdx.y;
    if (x < n && y < n) out[x * n + y] = in[y * n + x];
}
