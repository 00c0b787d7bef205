// Correct kernels that checks must say nothing about: the patterns of memory and order that real programs use. All take (unsigned* out,
// const unsigned* in, unsigned n); `out` and `in` are allocations of n words each, of which `out` is zero. Compiled by regenerate.sh.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <mma.h>

namespace cg = cooperative_groups;

extern "C" {

__global__ void tiled_transpose(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned tile[32][33];
    unsigned x = threadIdx.x, y = threadIdx.y;
    for (unsigned k = 0; k < 32; k += 8) tile[y + k][x] = in[(y + k) * 32 + x];
    __syncthreads();
    for (unsigned k = 0; k < 32; k += 8) out[(y + k) * 32 + x] = tile[x][y + k];
}

__global__ void reduce_shared(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned sum[256];
    unsigned i = threadIdx.x;
    sum[i] = in[i];
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (i < half) sum[i] += sum[i + half];
    }
    if (i == 0) out[0] = sum[0];
}

__global__ void reduce_warp_end(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned sum[256];
    unsigned i = threadIdx.x;
    sum[i] = in[i];
    __syncthreads();
    for (unsigned half = 128; half >= 32; half /= 2) {
        if (i < half) sum[i] += sum[i + half];
        __syncthreads();
    }
    if (i < 32) {
        unsigned v = sum[i];
        for (unsigned half = 16; half > 0; half /= 2) {
            v += sum[i + half];
            __syncwarp();
            sum[i] = v;
            __syncwarp();
        }
        if (i == 0) out[0] = v;
    }
}

__global__ void reduce_shuffle(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned partial[8];
    unsigned i = threadIdx.x, lane = i % 32, warp = i / 32;
    unsigned v = in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (lane == 0) partial[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < 8 ? partial[lane] : 0;
        for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
        if (lane == 0) out[0] = v;
    }
}

__global__ void reduce_half_warp(unsigned* out, const unsigned* in, unsigned n) {
    unsigned i = threadIdx.x;
    if (i < 16) {
        unsigned v = in[i];
        for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffff, v, d); // the upper lanes' values are not used
        if (i == 0) out[0] = v;
    }
}

__global__ void scan_in_block(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned buffer[2][256];
    unsigned i = threadIdx.x, from = 0;
    buffer[0][i] = in[i];
    __syncthreads();
    for (unsigned d = 1; d < 256; d *= 2) {
        buffer[1 - from][i] = buffer[from][i] + (i >= d ? buffer[from][i - d] : 0);
        from = 1 - from;
        __syncthreads();
    }
    out[i] = buffer[from][i];
}

__device__ unsigned look_back_ticket;
__device__ unsigned look_back_state[64]; // 1: the sum of the block; 2: of all up to it
__device__ unsigned look_back_sum[64];
__device__ unsigned look_back_total[64];

__global__ void scan_look_back(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned sum[64];
    __shared__ unsigned block, before;
    unsigned i = threadIdx.x;
    if (i == 0) block = atomicAdd(&look_back_ticket, 1);
    __syncthreads();
    unsigned b = block;
    sum[i] = in[b * 64 + i];
    __syncthreads();
    for (unsigned d = 1; d < 64; d *= 2) {
        unsigned v = i >= d ? sum[i - d] : 0;
        __syncthreads();
        sum[i] += v;
        __syncthreads();
    }
    if (i == 0) {
        look_back_sum[b] = sum[63];
        __threadfence();
        *(volatile unsigned*)&look_back_state[b] = 1;
        unsigned total = 0;
        for (int k = (int)b - 1; k >= 0; --k) {
            unsigned state;
            while ((state = *(volatile unsigned*)&look_back_state[k]) == 0) {
            }
            __threadfence();
            if (state == 2) {
                total += look_back_total[k];
                break;
            }
            total += look_back_sum[k];
        }
        before = total;
        look_back_total[b] = total + sum[63];
        __threadfence();
        *(volatile unsigned*)&look_back_state[b] = 2;
    }
    __syncthreads();
    out[b * 64 + i] = before + sum[i];
}

__device__ unsigned blocks_done;

__global__ void last_block_sums(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned sum[64];
    __shared__ bool last;
    unsigned i = threadIdx.x;
    sum[i] = in[blockIdx.x * 64 + i];
    for (unsigned half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (i < half) sum[i] += sum[i + half];
    }
    if (i == 0) {
        out[1 + blockIdx.x] = sum[0];
        __threadfence();
        last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        unsigned total = 0;
        for (unsigned b = i; b < gridDim.x; b += 64) total += out[1 + b];
        sum[i] = total;
        for (unsigned half = 32; half > 0; half /= 2) {
            __syncthreads();
            if (i < half) sum[i] += sum[i + half];
        }
        if (i == 0) out[0] = sum[0];
    }
}

__device__ unsigned lock_word;
__device__ unsigned guarded_count;

__global__ void spin_lock(unsigned* out, const unsigned* in, unsigned n) {
    for (bool done = false; !done;) {
        if (atomicCAS(&lock_word, 0, 1) == 0) {
            __threadfence();
            guarded_count += in[threadIdx.x];
            out[0] = guarded_count;
            __threadfence();
            atomicExch(&lock_word, 0);
            done = true;
        }
    }
}

__global__ void histogram_shared(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned bins[64];
    unsigned i = threadIdx.x;
    if (i < 64) bins[i] = 0;
    __syncthreads();
    for (unsigned k = blockIdx.x * blockDim.x + i; k < n; k += blockDim.x * gridDim.x) atomicAdd(&bins[in[k] % 64], 1);
    __syncthreads();
    if (i < 64) atomicAdd(&out[i], bins[i]);
}

__global__ void grid_barrier(unsigned* out, const unsigned* in, unsigned n) {
    cg::grid_group grid = cg::this_grid();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned total = gridDim.x * blockDim.x;
    out[i] = in[i];
    grid.sync();
    unsigned other = out[total - 1 - i];
    grid.sync();
    out[i] = other + 1;
}

// Two warps fill what the other two empty: full and empty barriers of each buffer.
__global__ void producer_consumer(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned buffer[2][64];
    unsigned i = threadIdx.x % 64;
    bool producer = threadIdx.x < 64;
    unsigned sum = 0;
    for (unsigned round = 0; round < 6; ++round) {
        unsigned b = round % 2;
        if (producer) {
            if (round >= 2) asm volatile("bar.sync %0, 128;" ::"r"(3 + b) : "memory"); // empty
            buffer[b][i] = in[i] + round;
            asm volatile("bar.arrive %0, 128;" ::"r"(1 + b) : "memory"); // full
        } else {
            asm volatile("bar.sync %0, 128;" ::"r"(1 + b) : "memory");
            sum += buffer[b][63 - i];
            if (round < 4) asm volatile("bar.arrive %0, 128;" ::"r"(3 + b) : "memory");
        }
    }
    if (!producer) out[i] = sum;
}

__global__ void async_double_buffer(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned tile[2][64];
    unsigned i = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&tile[0][i], &in[i], 4);
    __pipeline_commit();
    for (unsigned round = 0; round < 4; ++round) {
        if (round < 3) __pipeline_memcpy_async(&tile[(round + 1) % 2][i], &in[(round + 1) * 64 + i], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += tile[round % 2][63 - i];
        __syncthreads();
    }
    out[i] = sum;
}

__device__ __forceinline__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void wait_parity(unsigned long long* barrier, unsigned parity) {
    asm volatile(
        "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again;\n}" ::"r"(shared_address(barrier)),
        "r"(parity)
        : "memory");
}
__device__ __forceinline__ void arrive(unsigned long long* barrier) {
    asm volatile("{\n.reg .b64 s;\nmbarrier.arrive.shared.b64 s, [%0];\n}" ::"r"(shared_address(barrier)) : "memory");
}

__global__ void mbarrier_pipeline(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned long long full, empty;
    __shared__ unsigned buffer[32];
    unsigned i = threadIdx.x % 32, sum = 0;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(shared_address(&full)) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(shared_address(&empty)) : "memory");
    }
    __syncthreads();
    for (unsigned round = 0; round < 5; ++round) {
        if (threadIdx.x < 32) {
            if (round > 0) wait_parity(&empty, (round - 1) % 2);
            buffer[i] = in[round * 32 + i];
            arrive(&full);
        } else {
            wait_parity(&full, round % 2);
            sum += buffer[31 - i];
            arrive(&empty);
        }
    }
    if (threadIdx.x >= 32) out[i] = sum;
}

struct Padded {
    unsigned char tag;
    double value;
    unsigned short count;
};
__global__ void padded_copies(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ Padded items[64];
    unsigned i = threadIdx.x;
    items[i].tag = static_cast<unsigned char>(in[i]);
    items[i].value = in[i] * 0.5;
    items[i].count = static_cast<unsigned short>(i);
    __syncthreads();
    Padded* to = reinterpret_cast<Padded*>(out);
    to[i] = items[63 - i];
    __syncthreads();
    Padded again = to[63 - i];
    if (again.tag == 255 && again.count == 77) to[i].value += again.value;
}

__global__ void same_value_flags(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned found;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (in[i] % 3 == 0) found = 1;
    if (in[i] % 3 == 1) out[0] = 7; // all blocks write the same
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&out[1], found);
}

__global__ void bytes_beside_each_other(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned char bytes[256];
    unsigned i = threadIdx.x;
    bytes[i] = static_cast<unsigned char>(in[i]);
    reinterpret_cast<unsigned char*>(out)[1024 + i] = static_cast<unsigned char>(i);
    __syncthreads();
    if (i < 64) out[i] = reinterpret_cast<unsigned*>(bytes)[i];
}

__global__ void early_exit(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned tile[96];
    unsigned i = threadIdx.x;
    if (i >= 70) return;
    tile[i] = in[i];
    __syncthreads();
    out[i] = tile[69 - i];
}

__global__ void diverging_warps(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned ring[32];
    unsigned lane = threadIdx.x;
    ring[lane] = in[lane];
    __syncwarp();
    unsigned v = 0;
    if (lane % 2) {
        v = ring[lane - 1];
        __syncwarp(0xaaaaaaaa);
    } else {
        v = ring[lane + 1] * 2;
        __syncwarp(0x55555555);
    }
    __syncwarp();
    ring[lane] = v;
    __syncwarp();
    out[lane] = ring[31 - lane];
}

__global__ void tile_groups(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned part[256];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    unsigned i = threadIdx.x;
    part[i] = in[i];
    tile.sync();
    unsigned v = part[i ^ 7];
    for (int d = 4; d > 0; d /= 2) v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0) out[i / 8] = v;
}

__global__ void device_heap(unsigned* out, const unsigned* in, unsigned n) {
    unsigned* list = static_cast<unsigned*>(malloc(8 * sizeof(unsigned)));
    for (unsigned k = 0; k < 8; ++k) list[k] = in[k] + threadIdx.x;
    unsigned sum = 0;
    for (unsigned k = 0; k < 8; ++k) sum += list[k];
    free(list);
    out[threadIdx.x] = sum;
}

__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ void fill(unsigned* values, unsigned count, unsigned seed) {
    for (unsigned k = 0; k < count; ++k) values[k] = seed + k;
}
__global__ void calls_and_stacks(unsigned* out, const unsigned* in, unsigned n) {
    unsigned values[12];
    fill(values, 12, in[threadIdx.x]);
    out[threadIdx.x] = fibonacci(threadIdx.x % 10) + values[in[0] % 12];
}

// Pointers on the move: a difference added to another pointer, a table of pointers, a pointer at the end that counts down.
struct Node {
    const unsigned* data;
    unsigned count;
};
__global__ void pointers_on_the_move(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ Node nodes[32];
    unsigned i = threadIdx.x;
    nodes[i] = {in + i, 4};
    __syncthreads();
    Node node = nodes[31 - i];
    unsigned sum = 0;
    for (const unsigned* p = node.data + node.count; p != node.data;) sum += *--p;
    long between = out - in;
    const unsigned* also_in = out - between;
    out[i] = sum + also_in[i];
}

__global__ void acquire_release(unsigned* out, const unsigned* in, unsigned n) {
    unsigned* flag = out + 100;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            out[0] = in[0] + 1;
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
        }
    } else if (threadIdx.x == 0) {
        unsigned seen = 0;
        while (seen == 0) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        out[1] = out[0];
    }
}

__global__ void flag_in_block(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned value;
    __shared__ volatile unsigned flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = in[0];
        __threadfence_block();
        flag = 1;
    }
    if (threadIdx.x == 64) {
        while (flag == 0) {
        }
        __threadfence_block();
        out[0] = value;
    }
}

// The programming guide's atomicAdd for double before there was one, and a guarded atomicMax.
__global__ void optimistic_atomics(unsigned* out, const unsigned* in, unsigned n) {
    unsigned long long* sum = reinterpret_cast<unsigned long long*>(out);
    unsigned long long old = *sum, assumed;
    do {
        assumed = old;
        old = atomicCAS(sum, assumed, __double_as_longlong(in[threadIdx.x] + __longlong_as_double(assumed)));
    } while (assumed != old);
    if (out[2] < in[threadIdx.x]) atomicMax(&out[2], in[threadIdx.x]);
}

// A flag that is polled without a fence behind it, as much code does.
__global__ void flag_chain(unsigned* out, const unsigned* in, unsigned n) {
    volatile unsigned* flags = out + 100;
    if (threadIdx.x != 0) return;
    if (blockIdx.x > 0)
        while (flags[blockIdx.x - 1] == 0) {
        }
    out[blockIdx.x] = blockIdx.x == 0 ? 1 : out[blockIdx.x - 1] * 2;
    __threadfence();
    flags[blockIdx.x] = 1;
}

__global__ void tensor_tiles(unsigned* out, const unsigned* in, unsigned n) {
    using namespace nvcuda;
    __shared__ __half a[16 * 16], b[16 * 16];
    __shared__ float c[16 * 16];
    unsigned i = threadIdx.x;
    for (unsigned k = i; k < 256; k += 32) {
        a[k] = __float2half(static_cast<float>(in[k] % 8));
        b[k] = __float2half(static_cast<float>(k % 4));
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    __syncthreads();
    for (unsigned k = i; k < 256; k += 32) out[k] = static_cast<unsigned>(c[k]);
}

__global__ void stencil_halo(unsigned* out, const unsigned* in, unsigned n) {
    __shared__ unsigned tile[66];
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x + 1] = in[i];
    if (threadIdx.x == 0) tile[0] = i > 0 ? in[i - 1] : 0;
    if (threadIdx.x == 63) tile[65] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];
}

} // extern "C"
