// What a launch's record says of other GPUs and shapes: the answers must be those that running there gives.
#include "device/emulated/emulated.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace apod::device {
namespace {

// out[i] = in[i] for n threads; `more` stands before the end.
std::string kernel_text(const char* more) {
    return std::string(R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry copy(.param .u64 out, .param .u64 in, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [in];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra END;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.nc.u32 %r6, [%rd5];
    st.global.u32 [%rd4], %r6;
END:
)") + more +
           "    ret;\n}\n";
}

model::Scenario what_if(const char* text, const char* gpu) {
    auto scenario = model::parse_scenario(text, *arch::find_gpu(gpu));
    EXPECT_TRUE(scenario.ok());
    return *scenario;
}

constexpr std::uint32_t n = 1u << 21;

Result<LaunchRecord> run(const char* gpu, std::uint32_t threads, std::vector<model::Scenario> scenarios, const char* more = "") {
    const auto device = make_emulated(*arch::find_gpu(gpu), {2, false, std::move(scenarios)});
    const auto code = device->load(kernel_text(more), "copy.ptx");
    if (!code) return code.error();
    const auto kernel = (*code)->kernel("copy");
    if (!kernel) return kernel.error();
    const auto out = device->allocate(4 * n, "out");
    const auto in = device->allocate(4 * n, "in");
    if (!out || !in) return internal_error("no memory");
    Launch launch;
    launch.grid = {n / threads};
    launch.block = {threads};
    launch.parameters.resize((*kernel)->info().parameter_bytes);
    std::memcpy(launch.parameters.data(), &*out, 8);
    std::memcpy(launch.parameters.data() + 8, &*in, 8);
    std::memcpy(launch.parameters.data() + 16, &n, 4);
    return device->launch(**kernel, launch);
}

LaunchRecord good(const Result<LaunchRecord>& record) {
    EXPECT_TRUE(record.ok()) << to_text(record.error());
    return record.ok() ? *record : LaunchRecord{};
}

TEST(Estimates, OfAnotherGpuAreWhatARunThereSays) {
    for (const char* other : {"a100", "h100-sxm", "rtx4090", "l4"}) {
        const LaunchRecord here = good(run("h200", 256, {{std::string("emu:") + other, *arch::find_gpu(other)}}));
        const LaunchRecord there = good(run(other, 256, {}));
        ASSERT_EQ(here.estimates.size(), 1u);
        EXPECT_EQ(here.estimates[0].what, std::string("emu:") + other);
        EXPECT_EQ(here.estimates[0].time_ns, there.time_ns) << other;
        EXPECT_EQ(here.estimates[0].error, there.time_error) << other;
        EXPECT_EQ(here.estimates[0].limiter, there.limiter) << other;
        EXPECT_EQ(here.estimates[0].occupancy.warps_per_sm, there.occupancy.warps_per_sm) << other;
    }
}

TEST(Estimates, OfAnotherBlockSizeAreWhatThatLaunchSays) {
    for (const std::uint32_t threads : {64u, 512u}) {
        const LaunchRecord here = good(run("h200", 256, {what_if(("block=" + std::to_string(threads)).c_str(), "h200")}));
        const LaunchRecord there = good(run("h200", threads, {}));
        ASSERT_EQ(here.estimates.size(), 1u);
        EXPECT_EQ(here.estimates[0].why_not, "");
        EXPECT_NEAR(here.estimates[0].time_ns.value / there.time_ns.value, 1, 0.02) << threads;
        EXPECT_EQ(here.estimates[0].occupancy.blocks_per_sm, there.occupancy.blocks_per_sm);
    }
}

TEST(Estimates, MoreOfWhatLimitsHelpsAndOfAnythingElseDoesNot) {
    const auto ask = [](const char* text) { return what_if(text, "l4"); };
    const LaunchRecord record =
        good(run("l4", 256, {ask("bandwidth=2x,l2=1MiB"), ask("l2=1MiB"), ask("throughput.fp64=8x"), ask("registers=128")}));
    ASSERT_EQ(record.estimates.size(), 4u);
    EXPECT_LT(record.estimates[0].time_ns.value, 0.7 * record.estimates[1].time_ns.value);
    EXPECT_GT(record.estimates[1].time_ns.value, record.time_ns.value);
    EXPECT_EQ(record.estimates[2].time_ns, record.time_ns);
    EXPECT_EQ(record.estimates[3].time_ns, record.time_ns); // no more than it needs
}

TEST(Estimates, SharedMemoryTakesRoomFromOtherBlocks) {
    const LaunchRecord record = good(run("h200", 256, {what_if("shared=100KiB", "h200"), what_if("shared=1MiB", "h200")}));
    EXPECT_EQ(record.estimates[0].occupancy.blocks_per_sm, 2u);
    EXPECT_GT(record.estimates[0].time_ns.value, record.time_ns.value);
    EXPECT_NE(record.estimates[1].why_not.find("shared memory"), std::string::npos) << record.estimates[1].why_not;
    EXPECT_EQ(record.estimates[1].time_ns.value, 0);
}

TEST(Estimates, WhatTheKernelDoesNotAllowIsSaid) {
    const LaunchRecord record = good(run("h200", 256, {what_if("block=128", "h200")}, "bar.sync 0;\n"));
    EXPECT_EQ(record.estimates[0].why_not, "the block size cannot be changed here: the kernel has barriers");
}

} // namespace
} // namespace apod::device
