#include "transfer/kernels.hpp"

namespace apod::transfer {

std::string_view kernels() {
    return R"(.version 6.4
.target sm_75
.address_size 64

.visible .entry apod_scale(.param .u64 y, .param .u64 x, .param .u64 n, .param .u64 factor, .param .u64 multiplications)
{
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .reg .f32 %f<3>;
    .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [y];
    ld.param.u64 %rd2, [x];
    ld.param.u64 %rd3, [n];
    ld.param.f32 %f1, [factor];
    ld.param.u32 %r1, [multiplications];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mul.wide.u32 %rd4, %r2, %r3;
    cvt.u64.u32 %rd5, %r4;
    add.s64 %rd4, %rd4, %rd5;
    setp.ge.u64 %p1, %rd4, %rd3;
    @%p1 bra DONE;
    cvta.to.global.u64 %rd6, %rd1;
    cvta.to.global.u64 %rd7, %rd2;
    shl.b64 %rd8, %rd4, 2;
    add.s64 %rd9, %rd7, %rd8;
    add.s64 %rd10, %rd6, %rd8;
    ld.global.f32 %f2, [%rd9];
AGAIN:
    mul.rn.f32 %f2, %f2, %f1;
    sub.s32 %r1, %r1, 1;
    setp.ne.s32 %p2, %r1, 0;
    @%p2 bra AGAIN;
    st.global.f32 [%rd10], %f2;
DONE:
    ret;
}

.visible .entry apod_copy(.param .u64 to, .param .u64 from, .param .u64 count)
{
    .reg .pred %p<2>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [to];
    ld.param.u64 %rd2, [from];
    ld.param.u64 %rd3, [count];
    cvta.to.global.u64 %rd4, %rd1;
    cvta.to.global.u64 %rd5, %rd2;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mov.u32 %r4, %nctaid.x;
    mul.wide.u32 %rd6, %r1, %r2;
    cvt.u64.u32 %rd7, %r3;
    add.s64 %rd6, %rd6, %rd7;
    mul.wide.u32 %rd8, %r4, %r2;
LOOP:
    setp.ge.u64 %p1, %rd6, %rd3;
    @%p1 bra DONE;
    shl.b64 %rd9, %rd6, 4;
    add.s64 %rd10, %rd5, %rd9;
    add.s64 %rd11, %rd4, %rd9;
    ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd10];
    st.global.v4.u32 [%rd11], {%r5, %r6, %r7, %r8};
    add.s64 %rd6, %rd6, %rd8;
    bra LOOP;
DONE:
    ret;
}
)";
}

} // namespace apod::transfer
