// Half and bfloat16 arithmetic, conversions and vectors of two.
#include "check.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(const float* in, float* out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const __half h = __float2half(in[i]);
    const __half two = __float2half(2.0f);
    out[i] = __half2float(__hfma(h, two, __float2half(1.0f)));
    const __half2 pair = __halves2half2(h, two);
    const __half2 sum = __hadd2(pair, pair);
    out[n + i] = __low2float(sum) + __high2float(sum);
    out[2 * n + i] = __bfloat162float(__hmul(__float2bfloat16(in[i]), __float2bfloat16(4.0f)));
    out[3 * n + i] = __half2float(hsqrt(__float2half(in[i] * in[i]))) + (__hgt(h, two) ? 100.0f : 0.0f);
}

int main() {
    constexpr int n = 64;
    float *in, *out;
    CHECK(cudaMallocManaged(&in, n * sizeof(float)));
    CHECK(cudaMallocManaged(&out, 4 * n * sizeof(float)));
    for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i); // exact in both formats
    halves<<<1, n>>>(in, out, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) {
        EXPECT(out[i] == 2.0f * i + 1);
        EXPECT(out[n + i] == 2.0f * i + 4);
        EXPECT(out[2 * n + i] == 4.0f * i);
        EXPECT(out[3 * n + i] == i + (i > 2 ? 100.0f : 0.0f));
    }
    std::printf("half_math: PASS\n");
    return 0;
}
