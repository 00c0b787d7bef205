// Planted mistakes, one a kernel, for apod check. A comment "// expect: KIND" marks the line (of a race: both lines) that the report must
// name; nothing else may be reported. All kernels take (unsigned* out, const unsigned* in, unsigned n); `out` and `in` are allocations of n
// words each, of which `out` is not initialised. Compiled by regenerate.sh.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

extern "C" {

__global__ void global_overrun(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)             // should be <
        out[i] = in[0] + i; // expect: out_of_bounds
}

__global__ void global_underrun(unsigned* out, const unsigned* in, unsigned n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i - 1]; // expect: out_of_bounds
}

// Far past the end of `out`, where `in` lies: in[3] is the distance between the two.
__global__ void into_neighbour(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = threadIdx.x;
    unsigned value = in[i];
    out[i == 5 ? in[3] + 1 : i] = value; // expect: out_of_bounds
}

__global__ void null_pointer(unsigned* out, const unsigned* in, unsigned n) {
    unsigned** table = (unsigned**)out;
    if (threadIdx.x == 0) table[0] = nullptr;
    __syncthreads();
    unsigned* p = ((unsigned* volatile*)table)[0];
    p[threadIdx.x] = 1; // expect: out_of_bounds
}

__global__ void misaligned_vector(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = threadIdx.x;
    uint4 v = *reinterpret_cast<const uint4*>(in + 1 + 4 * i % 16); // expect: misaligned
    out[i] = v.x + v.y + v.z + v.w;
}

__global__ void shared_overrun(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned a[64];
    __shared__ unsigned b[64];
    unsigned i = threadIdx.x;
    a[i] = in[i];
    b[i] = in[i] + 1;
    __syncthreads();
    out[i] = a[i + in[2]] + b[i]; // expect: out_of_bounds
}

__global__ void dynamic_shared_overrun(unsigned* out, const unsigned* in, unsigned n) {
    extern __shared__ unsigned buffer[];
    unsigned i = threadIdx.x;
    buffer[i + 1] = in[i]; // expect: out_of_bounds
    __syncthreads();
    out[i] = buffer[i ? i : 1];
}

__global__ void local_overrun(unsigned* out, const unsigned* in, unsigned n) {
    unsigned values[8];
    for (unsigned k = 0; k < 8; ++k) values[k] = in[k];
    unsigned at = in[threadIdx.x] % 9; // should be % 8
    out[threadIdx.x] = values[at];     // expect: out_of_bounds
}

__global__ void uninitialised_global(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) out[i] = in[i];
    if (i < n / 2) out[i] += out[i + n / 2]; // expect: uninitialised
}

__global__ void uninitialised_shared(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned tile[128];
    unsigned i = threadIdx.x;
    if (i < 63) tile[i] = in[i];
    __syncthreads();
    if (i < 64) out[i] = tile[63 - i]; // expect: uninitialised
}

__global__ void uninitialised_local(unsigned* out, const unsigned* in, unsigned n) {
    unsigned count[16];
    for (unsigned k = 0; k < 15; ++k) count[k] = k;
    out[threadIdx.x] = count[in[threadIdx.x] % 16]; // expect: uninitialised
}

// The padding between the members may be copied; the second member may not be used.
struct Pair {
    unsigned first;
    unsigned second;
};
__global__ void uninitialised_member(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ Pair pairs[64];
    unsigned i = threadIdx.x;
    pairs[i].first = in[i];
    __syncthreads();
    Pair p = pairs[63 - i]; // expect: uninitialised
    out[i] = p.first;
    if (p.second > 3) out[i] = 0;
}

__global__ void race_in_reduction(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned sum[256];
    unsigned i = threadIdx.x;
    sum[i] = in[i];
    __syncthreads();
    for (unsigned half = 128; half > 0; half /= 2)
        if (i < half) sum[i] += sum[i + half]; // expect: race
    if (i == 0) out[0] = sum[0];
}

__global__ void race_without_barrier(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned tile[256];
    unsigned i = threadIdx.x;
    tile[i] = in[i];        // expect: race
    out[i] = tile[255 - i]; // expect: race
}

// Write after read: the second round overwrites what others still read.
__global__ void race_write_after_read(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned tile[256];
    unsigned i = threadIdx.x;
    unsigned sum = 0;
    for (unsigned round = 0; round < 4; ++round) {
        tile[i] = in[i] + round; // expect: race
        __syncthreads();
        sum += tile[255 - i]; // expect: race
    }
    out[i] = sum;
}

__global__ void race_in_warp(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned lane_value[32];
    unsigned i = threadIdx.x;
    lane_value[i] = in[i];      // expect: race
    out[i] = lane_value[i ^ 1]; // expect: race
}

__global__ void race_same_store(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned winner;
    winner = threadIdx.x; // expect: race
    __syncthreads();
    out[threadIdx.x] = winner;
}

__global__ void race_between_blocks(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = threadIdx.x;
    out[blockIdx.x * blockDim.x + i] = in[i];                                                       // expect: race
    if (blockIdx.x > 0) out[blockIdx.x * blockDim.x + i] += out[(blockIdx.x - 1) * blockDim.x + i]; // expect: race
}

__global__ void race_with_atomic(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, in[threadIdx.x]); // expect: race
    out[threadIdx.x] = count;           // expect: race
}

__global__ void flag_without_fence(unsigned* out, const unsigned* in, unsigned n) {
    volatile unsigned* flag = out + 64;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            out[0] = in[0] + 41; // expect: race
            // __threadfence() is missing here
            *flag = 1;
        }
    } else if (threadIdx.x == 0) {
        while (*flag != 1) {
        }
        __threadfence();
        out[1] = out[0]; // expect: race
    }
}

__global__ void divergent_barrier(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned tile[64];
    unsigned i = threadIdx.x;
    tile[i] = in[i];
    if (i < 16)
        __syncthreads(); // expect: divergent_barrier
    else
        __syncthreads(); // expect: divergent_barrier
    out[i] = tile[i];
}

__global__ void barrier_not_reached(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = threadIdx.x;
    if (i < 32) asm volatile("barrier.sync 3, 64;" ::: "memory"); // expect: deadlock
    out[i] = in[i];
}

__global__ void named_barrier_counts(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = threadIdx.x;
    if (i < 32)
        asm volatile("bar.arrive 1, 64;" ::: "memory"); // expect: barrier_misuse
    else if (i < 64)
        asm volatile("bar.sync 1, 96;" ::: "memory"); // expect: barrier_misuse
    else
        asm volatile("bar.arrive 1, 96;" ::: "memory");
    out[i] = in[i];
}

__global__ void arrival_without_wait(unsigned* out, const unsigned* in, unsigned n) {
    if (threadIdx.x < 32) asm volatile("bar.arrive 2, 64;" ::: "memory"); // expect: barrier_misuse
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void shuffle_from_inactive(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = threadIdx.x;
    unsigned value = in[i];
    if (i < 16) value = __shfl_down_sync(0xffff, value, 8); // expect: invalid_shuffle
    out[i] = value;
}

__global__ void mask_without_self(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = threadIdx.x;
    unsigned value = in[i];
    if (i >= 16) value += __ballot_sync(0x7fff0000, value > 1); // expect: invalid_mask
    out[i] = value;
}

__global__ void use_after_device_free(unsigned* out, const unsigned* in, unsigned n) {
    unsigned* block = static_cast<unsigned*>(malloc(64));
    block[0] = in[threadIdx.x];
    unsigned* keep = block;
    free(block);
    out[threadIdx.x] = keep[0]; // expect: use_after_free
}

__global__ void device_double_free(unsigned* out, const unsigned* in, unsigned n) {
    unsigned* block = static_cast<unsigned*>(malloc(64));
    block[1] = in[0];
    out[threadIdx.x] = block[1];
    free(block);
    free(block); // expect: double_free
}

__global__ void heap_overrun(unsigned* out, const unsigned* in, unsigned n) {
    unsigned* first = static_cast<unsigned*>(malloc(32));
    unsigned* second = static_cast<unsigned*>(malloc(32));
    second[0] = 1;
    first[in[8]] = 7; // expect: out_of_bounds
    out[threadIdx.x] = second[0];
    free(first);
    free(second);
}

__global__ void copy_not_waited_for(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned tile[64];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&tile[i], &in[i], 4); // expect: async_copy
    __pipeline_commit();
    __syncthreads();       // __pipeline_wait_prior(0) is missing before
    out[i] = tile[63 - i]; // expect: async_copy
}

__device__ __noinline__ unsigned deeper(const unsigned* in, unsigned n, unsigned* keep) {
    unsigned local[64];
    local[n % 64] = in[0] + *keep;
    if (n == 0) return local[0];
    return deeper(in, n - 1, local + n % 64) + local[n % 64]; // expect: stack_overflow
}
__global__ void stack_overflow(unsigned* out, const unsigned* in, unsigned n) {
    unsigned seed = in[1];
    out[threadIdx.x] = deeper(in, 100000, &seed);
}

// The mistake is in a function that is inlined.
__device__ __forceinline__ unsigned pick(const unsigned* from, unsigned at) {
    return from[at]; // expect: out_of_bounds
}
__global__ void inlined_overrun(unsigned* out, const unsigned* in, unsigned n) { out[threadIdx.x] = pick(in, threadIdx.x * n); }

__global__ void stale_stencil(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i]; // expect: race
    __syncthreads();           // orders the threads of a block only
    __threadfence();
    if (i + 1 < n && threadIdx.x == blockDim.x - 1) out[i] = out[i + 1]; // expect: race
}

// A read past the end of `in` and a write past the end of `out` in one line: two reports.
__global__ void read_and_write_overrun(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = in[i]; // expect: out_of_bounds
}

__global__ void histogram_without_atomic(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned bins[16];
    unsigned i = threadIdx.x;
    if (i < 16) bins[i] = 0;
    __syncthreads();
    bins[in[i] % 16]++; // expect: race
    __syncthreads();
    if (i < 16) out[i] = bins[i];
}

// In two lines, in floating point, over all blocks.
__global__ void sum_without_atomic(unsigned* out, const unsigned* in, unsigned n) {
    float* sum = reinterpret_cast<float*>(out);
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float old = sum[0];                              // expect: race
    sum[0] = old + 0.5f * static_cast<float>(in[i]); // expect: race
}

__global__ void largest_without_atomic(unsigned* out, const unsigned* in, unsigned n) {
    out[0] = max(out[0], in[threadIdx.x]); // expect: race
}

__global__ void largest_float_without_atomic(unsigned* out, const unsigned* in, unsigned n) {
    float* most = reinterpret_cast<float*>(out);
    most[0] = fmaxf(most[0], static_cast<float>(in[threadIdx.x])); // expect: race
}

__global__ void scan_in_place(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned sums[256];
    unsigned i = threadIdx.x;
    sums[i] = in[i];
    __syncthreads();
    for (unsigned d = 1; d < 256; d *= 2) {
        if (i >= d) sums[i] += sums[i - d]; // expect: race
        __syncthreads();
    }
    out[i] = sums[i];
}

__global__ void stencil_in_place(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i + 1 < n) out[i] = out[i - 1] + out[i + 1] + 1; // expect: race
}

// With nothing but zeros no write changes anything.
__global__ void stencil_of_zeros(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i + 1 < n) out[i] = (out[i - 1] + out[i] + out[i + 1]) / 3; // expect: race
}

// The second warp leaves the barrier out and goes on.
__global__ void barrier_left_out(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = threadIdx.x;
    if (i < 32) {
        out[64 + i] = in[i];
        __syncthreads(); // expect: divergent_barrier
    }
    out[i] = in[63 - i]; // expect: divergent_barrier
}

} // extern "C"
