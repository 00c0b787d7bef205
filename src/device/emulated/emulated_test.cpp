#include "device/emulated/emulated.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace apod::device {
namespace {

// out[i] = i for n threads; shared 16 KiB.
constexpr const char* text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry iota(.param .u64 out, .param .u32 n)
.maxntid 512, 1, 1
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    .shared .align 4 .b8 tile[16384];
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra END;
    cvta.to.global.u64 %rd1, %rd1;
    mul.wide.u32 %rd2, %r5, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r5;
END:
    ret;
}
)";

class Emulated : public ::testing::Test {
protected:
    void SetUp() override {
        Result<arch::Gpu> gpu = arch::find_gpu("a100");
        ASSERT_TRUE(gpu.ok());
        device_ = make_emulated(*std::move(gpu), {2});
        auto code = device_->load(text, "iota.ptx");
        ASSERT_TRUE(code.ok()) << to_text(code.error());
        auto kernel = (*code)->kernel("iota");
        ASSERT_TRUE(kernel.ok()) << to_text(kernel.error());
        kernel_ = *kernel;
        code_ = *code;
        auto out = device_->allocate(4 * 1000, "out");
        ASSERT_TRUE(out.ok());
        out_ = *out;
    }
    Launch launch(Dim3 grid, Dim3 block) {
        Launch result;
        result.grid = grid;
        result.block = block;
        result.parameters.resize(kernel_->info().parameter_bytes);
        const std::uint32_t n = 1000;
        std::memcpy(result.parameters.data(), &out_, 8);
        std::memcpy(result.parameters.data() + 8, &n, 4);
        return result;
    }
    std::string refusal(const Launch& asked) {
        const Result<LaunchRecord> record = device_->launch(*kernel_, asked);
        if (record.ok()) return "it ran";
        EXPECT_EQ(record.error().kind, ErrorKind::bad_input);
        return to_text(record.error());
    }

    std::unique_ptr<Device> device_;
    std::shared_ptr<Code> code_;
    std::shared_ptr<Kernel> kernel_;
    Address out_ = 0;
};

TEST_F(Emulated, AKernelRunsAndItsResultComesBack) {
    const Result<LaunchRecord> record = device_->launch(*kernel_, launch({4}, {256}));
    ASSERT_TRUE(record.ok()) << to_text(record.error());
    std::vector<std::uint32_t> result(1000);
    ASSERT_TRUE(device_->read(std::as_writable_bytes(std::span(result)), out_).ok());
    for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(result[i], i);
    EXPECT_EQ(record->kernel, "iota");
    EXPECT_GT(record->time_ns.value, 0);
    EXPECT_EQ(record->time_ns.source, Source::predicted);
    EXPECT_FALSE(record->shares.empty());
    EXPECT_EQ(record->static_shared_bytes, 16384u);
}

TEST_F(Emulated, LaunchesBeyondALimitNameTheLimitAndItsValue) {
    EXPECT_NE(refusal(launch({1}, {1025})).find("block.x is 1025, NVIDIA A100"), std::string::npos) << refusal(launch({1}, {1025}));
    EXPECT_NE(refusal(launch({1}, {64, 64})).find("4096 threads"), std::string::npos);
    EXPECT_NE(refusal(launch({1, 70000}, {32})).find("65535"), std::string::npos);
    EXPECT_NE(refusal(launch({0}, {32})).find("grid.x is 0"), std::string::npos);
    EXPECT_NE(refusal(launch({1}, {513})).find("__launch_bounds__ allow 512"), std::string::npos);
    Launch shared = launch({1}, {32});
    shared.dynamic_shared_bytes = 160000;
    EXPECT_NE(refusal(shared).find("176384 bytes of shared memory"), std::string::npos) << refusal(shared);
    Launch parameters = launch({1}, {32});
    parameters.parameters.resize(8);
    EXPECT_NE(refusal(parameters).find("12 bytes of parameters"), std::string::npos);
}

TEST_F(Emulated, PtxForANewerGpuIsRefused) {
    std::string newer = text;
    newer.replace(newer.find("sm_80"), 5, "sm_90");
    const auto code = device_->load(newer, "newer.ptx");
    ASSERT_FALSE(code.ok());
    EXPECT_EQ(code.error().kind, ErrorKind::bad_input);
    EXPECT_NE(code.error().hint.find("sm_80"), std::string::npos);
}

TEST_F(Emulated, AFaultOfTheKernelIsACheckThatFailed) {
    Launch beyond = launch({8}, {256});
    const std::uint32_t n = 2000;
    std::memcpy(beyond.parameters.data() + 8, &n, 4);
    const Result<LaunchRecord> record = device_->launch(*kernel_, beyond);
    ASSERT_FALSE(record.ok());
    EXPECT_EQ(record.error().kind, ErrorKind::check_failed);
}

constexpr const char* printing_text = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 words[7] = {104, 101, 108, 108, 111, 10, 0};
.visible .entry speak()
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<3>;
    mov.u64 %rd1, words;
    cvta.global.u64 %rd1, %rd1;
    mov.u64 %rd2, 0;
    {
        .param .b64 p0;
        st.param.b64 [p0], %rd1;
        .param .b64 p1;
        st.param.b64 [p1], %rd2;
        .param .b32 r0;
        call.uni (r0), vprintf, (p0, p1);
        ld.param.b32 %r1, [r0];
    }
    ret;
}
)";

TEST_F(Emulated, WhatAKernelPrintsLeavesStandardOutputToTheResults) {
    auto code = device_->load(printing_text, "speak.ptx");
    ASSERT_TRUE(code.ok()) << to_text(code.error());
    auto kernel = (*code)->kernel("speak");
    ASSERT_TRUE(kernel.ok()) << to_text(kernel.error());
    Launch once;
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const auto record = device_->launch(**kernel, once);
    const std::string out = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "hello\n");
    EXPECT_EQ(out, "");
    EXPECT_TRUE(record.ok());
}

} // namespace
} // namespace apod::device
