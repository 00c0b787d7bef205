// Arithmetic: half, bfloat16, double, division, remainders, carries, mathematics functions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(__half* h, __nv_bfloat16* b, float* f) {
    const int i = threadIdx.x;
    h[i] = __hfma(h[i], h[i + 1], __float2half(f[i]));
    reinterpret_cast<__half2*>(h)[i] = __hadd2(reinterpret_cast<__half2*>(h)[i], __floats2half2_rn(1.0f, f[i]));
    b[i] = __hmul(b[i], __float2bfloat16(f[i]));
    f[i] = __half2float(h[i]) + __bfloat162float(b[i]);
}

__global__ void doubles(double* d, int n) {
    const int i = threadIdx.x;
    d[i] = sin(d[i]) + exp(d[i + 1]) / sqrt(d[i + 2]) + __dadd_rz(d[i + 3], 0.1) + fma(d[i], 1e300, -2.5e-310);
    d[i + n] = rint(d[i]) + floor(d[i + 1]) + static_cast<double>(static_cast<long long>(d[i + 2]));
}

__global__ void floats(float* f, int n) {
    const int i = threadIdx.x;
    f[i] = sinf(f[i]) * expf(f[i + 1]) / f[i + 2] + powf(f[i], 1.7f) + __fdividef(f[i], 3.0f) + rsqrtf(f[i + 1]);
    f[i + n] = fminf(f[i], f[i + 1]) + fmaxf(f[i + 2], 0.0f) + copysignf(f[i], -1.0f) + truncf(f[i + 3]) + __expf(f[i]) + __logf(f[i]);
}

__global__ void integers(long long* l, int* s, unsigned* u, unsigned char* c, short* h) {
    const int i = threadIdx.x;
    l[i] = l[i + 1] / l[i + 2] + l[i + 3] % 7 + __umul64hi(l[i], l[i + 4]);
    s[i] = s[i + 1] / s[i + 2] % 5 + __mulhi(s[i], s[i + 3]) + (s[i] >> 3) + __dp4a(s[i], s[i + 1], s[i + 2]);
    u[i] = u[i + 1] / 10 + __funnelshift_l(u[i], u[i + 1], 5) + __vabsdiffu4(u[i], u[i + 2]);
    c[i] = static_cast<unsigned char>(c[i] * 3 + h[i]);
    h[i] = static_cast<short>(h[i + 1] * h[i + 2] - c[i]);
    unsigned low, high;
    asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %4, 0;" : "=r"(low), "=r"(high) : "r"(u[0]), "r"(u[1]), "r"(u[2]));
    u[i + 9] = low ^ high;
}
