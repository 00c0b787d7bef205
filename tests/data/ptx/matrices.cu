// Tensor cores, asynchronous copies and textures.
#include <cuda/barrier>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

__global__ void tensor(const __half* a, const __half* b, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

__global__ void textures(cudaTextureObject_t t, cudaSurfaceObject_t s, float4* out) {
    const float x = threadIdx.x * 0.25f;
    out[0] = tex2D<float4>(t, x, x);
    out[1] = tex3D<float4>(t, x, x, x);
    out[2] = tex2DLayered<float4>(t, x, x, 3);
    out[3] = texCubemap<float4>(t, x, x, x);
    out[4] = tex1Dfetch<float4>(t, 5);
    surf2Dwrite(out[0], s, threadIdx.x * 16, 1);
}

#if __CUDA_ARCH__ >= 800
__global__ void copies(const float4* in, float4* out) {
    __shared__ float4 stage[2][64];
    for (int i = 0; i < 2; ++i) {
        __pipeline_memcpy_async(&stage[i][threadIdx.x], in + i * 64 + threadIdx.x, 16);
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    out[threadIdx.x] = stage[0][63 - threadIdx.x];
    unsigned r0, r1, r2, r3;
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&stage[1][threadIdx.x & 31]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                 : "r"(address));
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
                 : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(r0), "r"(r1));
    out[64 + threadIdx.x] = make_float4(d0, d1, d2, d3);
}
#endif

#if __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(2, 1, 1) bulk(const float* in, float* out) {
    __shared__ alignas(128) float stage[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(stage, in, cuda::aligned_size_t<16>(sizeof(stage)), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(stage));
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    out[threadIdx.x] = stage[threadIdx.x];
    unsigned leader;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(leader));
    out[threadIdx.x + 256] = leader;
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;");
}
#endif
