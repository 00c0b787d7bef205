// The CUDA device over apod's own libcuda, and small kernels for it.
#pragma once

#include "device/async.hpp"
#include "device/cuda/cuda.hpp"
#include "device/cuda/shared_library.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace apod::device::testing {

inline CudaLibraries emulated_libraries() { return {APOD_EMULATED_CUDA, "no-such-nvml.so"}; }

// A fault of another test in the same process stays until the context is reset; before cuInit this does nothing.
inline void forget_faults() {
    const Result<std::shared_ptr<cuda::SharedLibrary>> library = cuda::SharedLibrary::open(APOD_EMULATED_CUDA);
    int (*reset)(int) = nullptr;
    if (library && (*library)->bind("cuDevicePrimaryCtxReset_v2", reset)) reset(0);
}

inline std::unique_ptr<Device> open_emulated() {
    forget_faults();
    Result<std::unique_ptr<Device>> device = open_cuda(0, emulated_libraries());
    EXPECT_TRUE(device.ok()) << (device ? "" : to_text(device.error()));
    return device ? *std::move(device) : nullptr;
}

// out[i] = a * out[i] + i for the threads of one axis; writes far outside where `n` is 0xffffffff.
inline constexpr const char* scale_ptx = R"(.version 8.0
.target sm_80
.address_size 64

.visible .entry _Z5scalePffj(
    .param .u64 out,
    .param .f32 factor,
    .param .u32 n
)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .f32 %f<5>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [out];
    ld.param.f32 %f1, [factor];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra done;
    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.u32 %rd3, %r5, 4;
    add.u64 %rd4, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4];
    cvt.rn.f32.u32 %f3, %r5;
    fma.rn.f32 %f4, %f1, %f2, %f3;
    st.global.f32 [%rd4], %f4;
done:
    ret;
}
)";

// The parameters of `scale`, packed.
inline std::vector<std::byte> scale_parameters(Address out, float factor, std::uint32_t n) {
    std::vector<std::byte> packed(16);
    std::memcpy(packed.data(), &out, 8);
    std::memcpy(packed.data() + 8, &factor, 4);
    std::memcpy(packed.data() + 12, &n, 4);
    return packed;
}

inline Launch scale_launch(Address out, std::uint32_t n, float factor = 2) {
    Launch launch;
    launch.grid = {(n + 127) / 128, 1, 1};
    launch.block = {128, 1, 1};
    launch.parameters = scale_parameters(out, factor, n);
    return launch;
}

inline std::shared_ptr<Kernel> load_scale(Device& device) {
    Result<std::shared_ptr<Code>> code = device.load(scale_ptx, "scale.ptx");
    EXPECT_TRUE(code.ok()) << (code ? "" : to_text(code.error()));
    if (!code) return nullptr;
    Result<std::shared_ptr<Kernel>> kernel = (*code)->kernel("scale");
    EXPECT_TRUE(kernel.ok()) << (kernel ? "" : to_text(kernel.error()));
    return kernel ? *kernel : nullptr;
}

} // namespace apod::device::testing
