// The kernels of `apod devices --measure`. Every parameter is 64 bits wide. kernels.ptx is made of this file and embedded:
//   nvcc -ptx -arch=compute_75 kernels.cu
// Sizes are in elements of 16 bytes, and multiples of what a block does.
#include <cstdint>

namespace {

constexpr int in_flight = 4; // independent accesses of a thread
constexpr int chains = 16;   // independent chains of arithmetic in a thread
constexpr int steps = 16;    // of each chain in a loop iteration

using Count = unsigned long long;

__device__ float4 sum(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
__device__ float4 scaled_sum(float4 a, float4 b, float s) { return {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w}; }

// So that the compiler keeps what led to `value`; never true.
__device__ bool impossible(float value) { return value == 1.2345678e30f; }

template<int n> __device__ Count first_of() { return static_cast<Count>(blockIdx.x) * blockDim.x * n + threadIdx.x; }
__device__ Count first() { return first_of<in_flight>(); }

template<int n> __device__ void read_all(const float4* __restrict__ from, float4* sink) {
    const Count at = first_of<n>();
    float4 values[n];
#pragma unroll
    for (int i = 0; i < n; ++i) values[i] = from[at + i * blockDim.x];
#pragma unroll
    for (int i = 1; i < n; ++i) values[0] = sum(values[0], values[i]);
    if (impossible(values[0].x + values[0].y + values[0].z + values[0].w)) *sink = values[0];
}

template<int n> __device__ void write_all(float4* to) {
    const Count at = first_of<n>();
#pragma unroll
    for (int i = 0; i < n; ++i) to[at + i * blockDim.x] = {1, 2, 3, 4};
}

template<int n> __device__ void copy_all(const float4* __restrict__ from, float4* __restrict__ to) {
    const Count at = first_of<n>();
    float4 values[n];
#pragma unroll
    for (int i = 0; i < n; ++i) values[i] = from[at + i * blockDim.x];
#pragma unroll
    for (int i = 0; i < n; ++i) to[at + i * blockDim.x] = values[i];
}

// to = a + 3 b
template<int n> __device__ void triad_all(const float4* __restrict__ a, const float4* __restrict__ b, float4* __restrict__ to) {
    const Count at = first_of<n>();
    float4 left[n];
    float4 right[n];
#pragma unroll
    for (int i = 0; i < n; ++i) {
        left[i] = a[at + i * blockDim.x];
        right[i] = b[at + i * blockDim.x];
    }
#pragma unroll
    for (int i = 0; i < n; ++i) to[at + i * blockDim.x] = scaled_sum(left[i], right[i], 3.0f);
}

} // namespace

extern "C" {

__global__ void apod_empty() {}

// ---- DRAM: each element once; the best of 1 and 4 elements a thread counts ----

__global__ void apod_read_1(const float4* __restrict__ from, float4* sink) { read_all<1>(from, sink); }
__global__ void apod_read_4(const float4* __restrict__ from, float4* sink) { read_all<4>(from, sink); }
__global__ void apod_write_1(float4* to) { write_all<1>(to); }
__global__ void apod_write_4(float4* to) { write_all<4>(to); }
__global__ void apod_copy_1(const float4* __restrict__ from, float4* __restrict__ to) { copy_all<1>(from, to); }
__global__ void apod_copy_4(const float4* __restrict__ from, float4* __restrict__ to) { copy_all<4>(from, to); }
__global__ void apod_triad_1(const float4* __restrict__ a, const float4* __restrict__ b, float4* __restrict__ to) {
    triad_all<1>(a, b, to);
}
__global__ void apod_triad_4(const float4* __restrict__ a, const float4* __restrict__ b, float4* __restrict__ to) {
    triad_all<4>(a, b, to);
}

// ---- L2: the same small set `passes` times, past L1 ----

__global__ void apod_l2_read(const float4* __restrict__ from, float4* sink, Count elements, Count passes) {
    const Count stride = static_cast<Count>(gridDim.x) * blockDim.x * in_flight;
    float4 total = {0, 0, 0, 0};
    for (Count pass = 0; pass < passes; ++pass) {
        for (Count at = first(); at < elements; at += stride) {
            float4 values[in_flight];
#pragma unroll
            for (int i = 0; i < in_flight; ++i) values[i] = __ldcg(from + at + i * blockDim.x);
#pragma unroll
            for (int i = 0; i < in_flight; ++i) total = sum(total, values[i]);
        }
    }
    if (impossible(total.x + total.y + total.z + total.w)) *sink = total;
}

__global__ void apod_l2_write(float4* to, Count elements, Count passes) {
    const Count stride = static_cast<Count>(gridDim.x) * blockDim.x * in_flight;
    for (Count pass = 0; pass < passes; ++pass) {
        const float value = static_cast<float>(pass);
        for (Count at = first(); at < elements; at += stride) {
#pragma unroll
            for (int i = 0; i < in_flight; ++i) __stcg(to + at + i * blockDim.x, float4{value, value, value, value});
        }
    }
}

__global__ void apod_l2_copy(const float4* __restrict__ from, float4* __restrict__ to, Count elements, Count passes) {
    const Count stride = static_cast<Count>(gridDim.x) * blockDim.x * in_flight;
    for (Count pass = 0; pass < passes; ++pass) {
        for (Count at = first(); at < elements; at += stride) {
            float4 values[in_flight];
#pragma unroll
            for (int i = 0; i < in_flight; ++i) values[i] = __ldcg(from + at + i * blockDim.x);
#pragma unroll
            for (int i = 0; i < in_flight; ++i) __stcg(to + at + i * blockDim.x, values[i]);
        }
    }
}

__global__ void apod_l2_triad(const float4* __restrict__ a, const float4* __restrict__ b, float4* __restrict__ to, Count elements,
                              Count passes) {
    const Count stride = static_cast<Count>(gridDim.x) * blockDim.x * in_flight;
    for (Count pass = 0; pass < passes; ++pass) {
        for (Count at = first(); at < elements; at += stride) {
            float4 values[in_flight];
#pragma unroll
            for (int i = 0; i < in_flight; ++i)
                values[i] = scaled_sum(__ldcg(a + at + i * blockDim.x), __ldcg(b + at + i * blockDim.x), 3.0f);
#pragma unroll
            for (int i = 0; i < in_flight; ++i) __stcg(to + at + i * blockDim.x, values[i]);
        }
    }
}

// ---- shared memory: blocks of 1024, each thread 16 bytes a read, without conflicts ----

__global__ void apod_shared_read(float* sink, Count passes) {
    __shared__ float4 values[1024];
    values[threadIdx.x] = {1, 2, 3, static_cast<float>(threadIdx.x)};
    __syncthreads();
    float4 total = {0, 0, 0, 0};
    unsigned at = threadIdx.x;
    for (Count pass = 0; pass < passes; ++pass) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            total = sum(total, values[at]);
            at = (at + 32) % 1024;
        }
    }
    if (impossible(total.x + total.y + total.z + total.w)) *sink = total.x;
}

// ---- rates: chains * steps * passes operations a thread ----

__global__ void apod_fp32(float* sink, Count passes) {
    float x[chains];
#pragma unroll
    for (int c = 0; c < chains; ++c) x[c] = static_cast<float>(threadIdx.x + c);
    const float a = 0.9999f + static_cast<float>(passes) * 1e-12f;
    const float b = 1e-3f * static_cast<float>(blockDim.x);
    for (Count pass = 0; pass < passes; ++pass) {
#pragma unroll
        for (int s = 0; s < steps; ++s)
#pragma unroll
            for (int c = 0; c < chains; ++c) x[c] = fmaf(x[c], a, b);
    }
    float total = 0;
#pragma unroll
    for (int c = 0; c < chains; ++c) total += x[c];
    if (impossible(total)) *sink = total;
}

__global__ void apod_fp64(double* sink, Count passes) {
    double x[chains];
#pragma unroll
    for (int c = 0; c < chains; ++c) x[c] = static_cast<double>(threadIdx.x + c);
    const double a = 0.9999 + static_cast<double>(passes) * 1e-12;
    const double b = 1e-3 * static_cast<double>(blockDim.x);
    for (Count pass = 0; pass < passes; ++pass) {
#pragma unroll
        for (int s = 0; s < steps; ++s)
#pragma unroll
            for (int c = 0; c < chains; ++c) x[c] = fma(x[c], a, b);
    }
    double total = 0;
#pragma unroll
    for (int c = 0; c < chains; ++c) total += x[c];
    if (impossible(static_cast<float>(total))) *sink = total;
}

__global__ void apod_int32(int* sink, Count passes) {
    int x[chains];
#pragma unroll
    for (int c = 0; c < chains; ++c) x[c] = static_cast<int>(threadIdx.x + c);
    const int a = static_cast<int>(passes) | 3;
    const int b = static_cast<int>(blockDim.x);
    for (Count pass = 0; pass < passes; ++pass) {
#pragma unroll
        for (int s = 0; s < steps; ++s)
#pragma unroll
            for (int c = 0; c < chains; ++c) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x[c]) : "r"(a), "r"(b));
    }
    int total = 0;
#pragma unroll
    for (int c = 0; c < chains; ++c) total += x[c];
    if (total == 0x51a7e3c9) *sink = total; // as good as never
}

__global__ void apod_special(float* sink, Count passes) {
    float x[chains];
#pragma unroll
    for (int c = 0; c < chains; ++c) x[c] = 0.01f * static_cast<float>(threadIdx.x + c);
    for (Count pass = 0; pass < passes; ++pass) {
#pragma unroll
        for (int s = 0; s < steps; ++s)
#pragma unroll
            for (int c = 0; c < chains; ++c) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[c]));
    }
    float total = 0;
#pragma unroll
    for (int c = 0; c < chains; ++c) total += x[c];
    if (impossible(total)) *sink = total;
}

// ---- latency: one thread follows pointers ----

// Node order[i] points to node order[i + 1], the last to the first.
__global__ void apod_link(Count base, const unsigned* order, Count nodes, Count stride) {
    const Count i = static_cast<Count>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= nodes) return;
    *reinterpret_cast<Count*>(base + order[i] * stride) = base + order[(i + 1) % nodes] * stride;
}

// out: the cycles of `hops` hops, and where they led.
__global__ void apod_chase(Count from, Count hops, Count* out) {
    Count at = from;
    const long long begin = clock64();
#pragma unroll 8
    for (Count hop = 0; hop < hops; ++hop) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
    out[0] = static_cast<Count>(clock64() - begin);
    out[1] = at;
}

__global__ void apod_chase_l1(Count from, Count hops, Count* out) {
    Count at = from;
    const long long begin = clock64();
#pragma unroll 8
    for (Count hop = 0; hop < hops; ++hop) asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at));
    out[0] = static_cast<Count>(clock64() - begin);
    out[1] = at;
}

__global__ void apod_chase_shared(Count hops, Count* out) {
    __shared__ unsigned next[256];
    for (unsigned i = 0; i < 256; ++i) next[i] = static_cast<unsigned>(__cvta_generic_to_shared(&next[(i + 33) % 256]));
    unsigned at = next[0];
    const long long begin = clock64();
#pragma unroll 8
    for (Count hop = 0; hop < hops; ++hop) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
    out[0] = static_cast<Count>(clock64() - begin);
    out[1] = at;
}

} // extern "C"
