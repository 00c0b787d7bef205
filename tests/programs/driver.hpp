// For programs of the driver API: CHECK takes its results too, and there is a kernel to load.
#pragma once

#include "check.hpp"

#include <cuda.h>

inline void check(CUresult error, const char* what, int line) {
    if (error == CUDA_SUCCESS) return;
    const char* name = nullptr;
    const char* text = nullptr;
    cuGetErrorName(error, &name);
    cuGetErrorString(error, &text);
    std::printf("line %d: %s: %s (%s)\n", line, what, name != nullptr ? name : "?", text != nullptr ? text : "?");
    std::exit(1);
}

// void saxpy(float a, const float* x, float* y, int n): y = a * x + y
inline const char* const saxpy_ptx = R"(
.version 7.8
.target sm_50
.address_size 64

.visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .s32 n)
{
    .reg .pred %p<2>;
    .reg .f32 %f<5>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<8>;
    ld.param.f32 %f1, [a];
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    ld.param.s32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra done;
    cvta.to.global.u64 %rd3, %rd1;
    cvta.to.global.u64 %rd4, %rd2;
    mul.wide.s32 %rd5, %r5, 4;
    add.s64 %rd6, %rd3, %rd5;
    add.s64 %rd7, %rd4, %rd5;
    ld.global.f32 %f2, [%rd6];
    ld.global.f32 %f3, [%rd7];
    fma.rn.f32 %f4, %f1, %f2, %f3;
    st.global.f32 [%rd7], %f4;
done:
    ret;
}
)";
