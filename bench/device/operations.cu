// Each kind of arithmetic instruction by itself, so that a profiler's counters say what one is counted as (docs/roofline.md): additions,
// products and fused pairs of each width, and what divisions, square roots and functions are made of. One launch each of 1024 threads,
// 16 times the instruction in each, on ordinary numbers. Under a profiler on hardware and under `apod run`, launch by launch the same.
//
//   nvcc -O3 -std=c++17 -cudart shared -gencode arch=compute_90,code=[compute_90,sm_90] bench/device/operations.cu -o operations
//   ncu --clock-control none --csv --page raw --metrics smsp__sass_thread_inst_executed_op_fadd_pred_on.sum,... ./operations
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

namespace {

// `type`: of the registers; `letter`: their constraint.
#define KERNEL(name, type, letter, text)                                                                                                   \
    __global__ void name(type* data) {                                                                                                     \
        type x = data[threadIdx.x], y = data[threadIdx.x + 1024];                                                                          \
        _Pragma("unroll") for (int i = 0; i < 16; ++i) asm volatile(text : "+" letter(x) : letter(y));                                     \
        data[threadIdx.x] = x;                                                                                                             \
    }

KERNEL(add_f32, float, "f", "add.rn.f32 %0, %0, %1;")
KERNEL(sub_f32, float, "f", "sub.rn.f32 %0, %0, %1;")
KERNEL(mul_f32, float, "f", "mul.rn.f32 %0, %0, %1;")
KERNEL(fma_f32, float, "f", "fma.rn.f32 %0, %0, %1, %1;")
KERNEL(neg_f32, float, "f", "neg.f32 %0, %0;")
KERNEL(min_f32, float, "f", "min.f32 %0, %0, %1;")
KERNEL(add_f64, double, "d", "add.rn.f64 %0, %0, %1;")
KERNEL(mul_f64, double, "d", "mul.rn.f64 %0, %0, %1;")
KERNEL(fma_f64, double, "d", "fma.rn.f64 %0, %0, %1, %1;")
KERNEL(add_f16x2, std::uint32_t, "r", "add.rn.f16x2 %0, %0, %1;")
KERNEL(mul_f16x2, std::uint32_t, "r", "mul.rn.f16x2 %0, %0, %1;")
KERNEL(fma_f16x2, std::uint32_t, "r", "fma.rn.f16x2 %0, %0, %1, %1;")
KERNEL(div_rn, float, "f", "div.rn.f32 %0, %0, %1;")
KERNEL(div_full, float, "f", "div.full.f32 %0, %0, %1;")
KERNEL(div_approx, float, "f", "div.approx.f32 %0, %0, %1;")
KERNEL(rcp_rn, float, "f", "rcp.rn.f32 %0, %0;")
KERNEL(rcp_approx, float, "f", "rcp.approx.f32 %0, %0;")
KERNEL(sqrt_rn, float, "f", "sqrt.rn.f32 %0, %0;")
KERNEL(sqrt_approx, float, "f", "sqrt.approx.f32 %0, %0;")
KERNEL(rsqrt_approx, float, "f", "rsqrt.approx.f32 %0, %0;")
KERNEL(ex2_approx, float, "f", "ex2.approx.f32 %0, %0;")
KERNEL(lg2_approx, float, "f", "lg2.approx.f32 %0, %1;")
KERNEL(sin_approx, float, "f", "sin.approx.f32 %0, %0;")
KERNEL(div_f64, double, "d", "div.rn.f64 %0, %0, %1;")
KERNEL(rcp_f64, double, "d", "rcp.rn.f64 %0, %0;")
KERNEL(sqrt_f64, double, "d", "sqrt.rn.f64 %0, %0;")
KERNEL(rsqrt_f64, double, "d", "rsqrt.approx.f64 %0, %0;")
KERNEL(add_s32, int, "r", "add.s32 %0, %0, %1;")
KERNEL(mul_s32, int, "r", "mul.lo.s32 %0, %0, %1;")
KERNEL(mad_s32, int, "r", "mad.lo.s32 %0, %0, %1, %1;")
KERNEL(and_b32, int, "r", "and.b32 %0, %0, %1;")
KERNEL(shl_b32, int, "r", "shl.b32 %0, %0, %1;")

// Half of the lanes take part.
__global__ void half_of_the_lanes(float* data) {
    float x = data[threadIdx.x];
    if (threadIdx.x % 2 == 0) {
#pragma unroll
        for (int i = 0; i < 16; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
    }
    data[threadIdx.x] = x;
}

__global__ void start(float* f, double* d) {
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) {
        f[i] = 1.0f + static_cast<float>(i) / 4096;
        d[i] = 1.0 + static_cast<double>(i) / 4096;
    }
}

} // namespace

int main() {
    float* f;
    double* d;
    if (cudaMalloc(&f, 8192) != cudaSuccess || cudaMalloc(&d, 16384) != cudaSuccess) return 1;
    auto* words = reinterpret_cast<std::uint32_t*>(f);
    auto* ints = reinterpret_cast<int*>(f);
    const auto fresh = [&] { start<<<1, 1024>>>(f, d); };
#define RUN(name, data) fresh(), name<<<1, 1024>>>(data)
    RUN(add_f32, f), RUN(sub_f32, f), RUN(mul_f32, f), RUN(fma_f32, f), RUN(neg_f32, f), RUN(min_f32, f);
    RUN(add_f64, d), RUN(mul_f64, d), RUN(fma_f64, d);
    RUN(add_f16x2, words), RUN(mul_f16x2, words), RUN(fma_f16x2, words);
    RUN(div_rn, f), RUN(div_full, f), RUN(div_approx, f), RUN(rcp_rn, f), RUN(rcp_approx, f), RUN(sqrt_rn, f), RUN(sqrt_approx, f);
    RUN(rsqrt_approx, f), RUN(ex2_approx, f), RUN(lg2_approx, f), RUN(sin_approx, f);
    RUN(div_f64, d), RUN(rcp_f64, d), RUN(sqrt_f64, d), RUN(rsqrt_f64, d);
    RUN(add_s32, ints), RUN(mul_s32, ints), RUN(mad_s32, ints), RUN(and_b32, ints), RUN(shl_b32, ints);
    RUN(half_of_the_lanes, f);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", error == cudaSuccess ? "PASS" : cudaGetErrorString(error));
    return error == cudaSuccess ? 0 : 1;
}
