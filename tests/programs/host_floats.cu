// The host has asked its floating point for traps, another rounding and no subnormals: what kernels compute stays what it is.
#include "check.hpp"

#include <cfenv>
#include <cmath>
#include <xmmintrin.h>

__global__ void compute(float* out, float zero, float small, float third) {
    out[0] = 1.0f / zero;
    out[1] = zero / zero;
    out[2] = small * 0.5f;
    out[3] = 1.0f / third;
}

int main() {
    float *out, host[4];
    CHECK(cudaMalloc(&out, sizeof host));
    const unsigned before = _mm_getcsr();
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_UNDERFLOW);
    fesetround(FE_UPWARD);
    _mm_setcsr(_mm_getcsr() | 0x8040); // DAZ and FTZ, as -ffast-math sets them at the program's start
    compute<<<1, 1>>>(out, 0.0f, 1.5e-38f, 3.0f);
    const cudaError_t done = cudaDeviceSynchronize();
    EXPECT(fegetround() == FE_UPWARD);
    fedisableexcept(FE_ALL_EXCEPT);
    fesetround(FE_TONEAREST);
    _mm_setcsr(before);
    CHECK(done);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(std::isinf(host[0]) && std::isnan(host[1]));
    const volatile float small = 1.5e-38f;
    EXPECT(host[2] == small * 0.5f);
    EXPECT(host[3] == 1.0f / 3.0f);
    std::printf("host_floats: right\n");
}
