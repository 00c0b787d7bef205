// Warp and block cooperation: shuffles, votes, matches, reductions, barriers of every kind, atomics with scopes, grid-wide synchronisation.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

__global__ void votes(unsigned* out, const int* in) {
    const int v = in[threadIdx.x];
    out[0] = __ballot_sync(~0u, v > 0);
    out[1] = __any_sync(~0u, v == 3) + __all_sync(~0u, v != 4);
    out[2] = __activemask();
    out[3] = __shfl_up_sync(~0u, v, 1) + __shfl_down_sync(~0u, v, 2) + __shfl_sync(~0u, v, 3);
    out[4] = __popc(v) + __clz(v) + __ffs(v) + __brev(v) + __byte_perm(v, 3, 0x1234);
#if __CUDA_ARCH__ >= 700
    int all = 0;
    out[5] = __match_any_sync(~0u, v) + __match_all_sync(~0u, v, &all);
    out[6] = all;
    __nanosleep(20);
#endif
#if __CUDA_ARCH__ >= 800
    out[7] = __reduce_add_sync(~0u, v) + __reduce_max_sync(~0u, v) + __reduce_or_sync(~0u, static_cast<unsigned>(v));
#endif
}

__global__ void barriers(int* out) {
    out[0] = __syncthreads_count(out[1]) + __syncthreads_and(out[2]) + __syncthreads_or(out[3]);
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    asm volatile("bar.sync 1, 64;");
    asm volatile("bar.arrive 2, 64;");
    asm volatile("barrier.sync 3;");
}

__global__ void atomics(int* out, unsigned long long* wide, float* f, double* d) {
    atomicAdd(out, 1);
    atomicAdd_block(out + 1, 2);
    atomicAdd_system(out + 2, 3);
    out[9] = atomicCAS(out + 3, 1, 2) + atomicExch(out + 4, 5) + atomicMax(out + 5, 6);
    atomicAdd(f, 1.5f);
    atomicAdd(d, 2.5);
    atomicAdd(wide, 1ull);
    cuda::atomic_ref<int, cuda::thread_scope_device> a(out[6]);
    a.fetch_add(1, cuda::memory_order_release);
    out[7] = a.load(cuda::memory_order_acquire);
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    flag.store(1, cuda::memory_order_release);
    flag.wait(0);
}

__global__ void groups(int* out) {
    auto grid = cg::this_grid();
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int sum = cg::reduce(warp, out[threadIdx.x], cg::plus<int>());
    grid.sync();
    auto some = cg::coalesced_threads();
    if (some.thread_rank() == 0) out[grid.thread_rank() & 7] = sum;
}
