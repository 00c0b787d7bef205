// Rooflines of kernels whose operations and bytes follow from the problem: what is counted must be exactly that.
#include "device/emulated/emulated.hpp"
#include "model/metric_registry.hpp"
#include "model/roofline.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>

namespace apod::device {
namespace {

constexpr const char* kernels = R"(.version 8.0
.target sm_75
.address_size 64
// y[i] = a x[i] + y[i]
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .u64 none)
{
    .reg .b32 %r<4>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r1, %r1, %r2, %r3;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.f32 %f1, [%rd4];
    ld.global.f32 %f2, [%rd5];
    fma.rn.f32 %f3, %f1, 0f40000000, %f2;
    st.global.f32 [%rd5], %f3;
    ret;
}
// y[column][row] = x[row][column] of 256 x 256, a block a row
.visible .entry transpose(.param .u64 x, .param .u64 y, .param .u64 none)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.s32 %r3, %r1, 256, %r2;
    mad.lo.s32 %r4, %r2, 256, %r1;
    mul.wide.u32 %rd3, %r3, 4;
    mul.wide.u32 %rd4, %r4, 4;
    add.s64 %rd5, %rd1, %rd3;
    add.s64 %rd6, %rd2, %rd4;
    ld.global.u32 %r5, [%rd5];
    st.global.u32 [%rd6], %r5;
    ret;
}
// c = a b of 64 x 64 doubles: a block of 64 threads a row, a thread a column
.visible .entry gemm(.param .u64 a, .param .u64 b, .param .u64 c)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .f64 %d<4>;
    .reg .b64 %rd<10>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.u64 %rd3, [c];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd4, %r1, 512;
    add.s64 %rd1, %rd1, %rd4;
    add.s64 %rd3, %rd3, %rd4;
    mul.wide.u32 %rd5, %r2, 8;
    add.s64 %rd2, %rd2, %rd5;
    add.s64 %rd3, %rd3, %rd5;
    mov.f64 %d1, 0d0000000000000000;
    mov.u32 %r3, 0;
LOOP:
    ld.global.f64 %d2, [%rd1];
    ld.global.f64 %d3, [%rd2];
    fma.rn.f64 %d1, %d2, %d3, %d1;
    add.s64 %rd1, %rd1, 8;
    add.s64 %rd2, %rd2, 512;
    add.s32 %r3, %r3, 1;
    setp.lt.u32 %p, %r3, 64;
    @%p bra LOOP;
    st.global.f64 [%rd3], %d1;
    ret;
}
// Half of the lanes do one of each; two halves a word, a division of three.
.visible .entry mixed(.param .u64 x, .param .u64 y, .param .u64 none)
{
    .reg .pred %p;
    .reg .b32 %r<4>;
    .reg .f32 %f<4>;
    mov.u32 %r1, %tid.x;
    cvt.rn.f32.u32 %f1, %r1;
    setp.ge.u32 %p, %r1, 16;
    @%p bra END;
    add.f32 %f2, %f1, 0f3F800000;
    sub.f32 %f2, %f2, %f1;
    mul.f32 %f2, %f2, %f1;
    neg.f32 %f2, %f2;
    fma.rn.f16x2 %r2, %r1, %r1, %r1;
    div.rn.f32 %f3, %f2, 0f40400000;
END:
    ret;
}
)";

LaunchRecord run(const char* name, std::uint32_t blocks, std::uint32_t threads, const char* gpu = "h200",
                 std::vector<model::Scenario> scenarios = {}) {
    const auto device = make_emulated(*arch::find_gpu(gpu), {2, false, std::move(scenarios)});
    const auto code = device->load(kernels, "roofline.ptx");
    if (!code) {
        ADD_FAILURE() << to_text(code.error());
        return {};
    }
    const auto kernel = (*code)->kernel(name);
    Launch launch;
    launch.grid = {blocks};
    launch.block = {threads};
    for (int i = 0; i < 3; ++i) {
        const auto buffer = device->allocate(4u << 20, "buffer");
        const auto* bytes = reinterpret_cast<const std::byte*>(&*buffer);
        launch.parameters.insert(launch.parameters.end(), bytes, bytes + 8);
    }
    Result<LaunchRecord> record = device->launch(**kernel, launch);
    EXPECT_TRUE(record.ok()) << to_text(record.error());
    if (!record) return {};
    record->roofline = model::roofline(*record, *arch::find_gpu(gpu));
    return *record;
}

const RooflinePoint* point(const std::vector<RooflinePoint>& points, std::string_view work, std::string_view level) {
    for (const RooflinePoint& one : points)
        if (one.work == work && one.level == level) return &one;
    return nullptr;
}

void expect_point(const LaunchRecord& record, std::string_view work, std::string_view level, double amount, double traffic) {
    const RooflinePoint* found = point(record.roofline, work, level);
    ASSERT_NE(found, nullptr) << work << ' ' << level;
    EXPECT_EQ(found->amount, amount) << work << ' ' << level;
    EXPECT_EQ(found->traffic, traffic) << work << ' ' << level;
    EXPECT_DOUBLE_EQ(found->intensity, amount / traffic);
    EXPECT_GT(found->fraction, 0);
    EXPECT_LE(found->fraction, 1);
    EXPECT_DOUBLE_EQ(found->fraction, found->performance / found->roof);
}

bool has_floats(const std::vector<RooflinePoint>& points) {
    for (const RooflinePoint& one : points)
        if (one.work == "fp32" || one.work == "fp64" || one.work == "fp16" || one.work.starts_with("tensor")) return true;
    return false;
}

TEST(Roofline, SaxpyDoesTwoOperationsForTwelveBytes) {
    constexpr double n = 1 << 20;
    const LaunchRecord record = run("saxpy", 4096, 256);
    expect_point(record, "fp32", "l1", 2 * n, 12 * n);
    expect_point(record, "fp32", "l2", 2 * n, 12 * n);
    expect_point(record, "fp32", "dram", 2 * n, 8 * n); // what is written stays in L2
    EXPECT_EQ(point(record.roofline, "fp32", "dram")->ceiling, "dram");
    EXPECT_EQ(point(record.roofline, "fp32", "shared"), nullptr);
    // 3 accesses of 4 sectors each for every 32 elements.
    expect_point(record, "global", "l1", 3 * n / 32, 12 * n / 32);
    const bool known = record.metrics.contains(std::string(model::metric::machine_instructions)); // where ptxas is
    EXPECT_EQ(point(record.roofline, "instructions", "l1")->amount,
              model::value_or_zero(record.metrics, known ? model::metric::machine_instructions : model::metric::warp_instructions));
}

TEST(Roofline, TransposeHasNoFloatingPointAndAColumnForEachStore) {
    constexpr double n = 256 * 256;
    const LaunchRecord record = run("transpose", 256, 256);
    EXPECT_FALSE(has_floats(record.roofline));
    // 32 elements: 4 sectors read, 32 written.
    expect_point(record, "global", "l1", 2 * n / 32, 36 * n / 32);
    EXPECT_NE(point(record.roofline, "int32", "l1"), nullptr) << "indices are integers";
}

TEST(Roofline, MatricesReuseWhatL1Holds) {
    constexpr double n = 64;
    const LaunchRecord record = run("gemm", 64, 64);
    // A warp and step: one sector of a, which all lanes share, eight of b; eight of c at the end.
    const double sectors = n * 2 * (n * (1 + 8) + 8);
    expect_point(record, "fp64", "l1", 2 * n * n * n, 32 * sectors);
    expect_point(record, "global", "l1", n * 2 * (2 * n + 1), sectors);
    const RooflinePoint* l2 = point(record.roofline, "fp64", "l2");
    ASSERT_NE(l2, nullptr);
    EXPECT_GT(l2->intensity, 1.1 * point(record.roofline, "fp64", "l1")->intensity) << "all lanes and both warps share a";
    expect_point(record, "fp64", "dram", 2 * n * n * n, 2 * n * n * 8);
}

TEST(Roofline, LanesThatTakePartCountAndDivisionsAreWhatIsMadeOfThem) {
    const LaunchRecord record = run("mixed", 2, 32);
    const auto value = [&record](std::string_view name) { return record.metrics.at(std::string(name)); };
    EXPECT_EQ(value(model::metric::fadds), (Quantity{2 * 2 * 16, Source::counted, {}}));
    EXPECT_EQ(value(model::metric::fmuls), (Quantity{2 * 16, Source::counted, {}}));
    EXPECT_EQ(value(model::metric::hfmas), (Quantity{2 * 16, Source::counted, {}}));
    EXPECT_EQ(value(model::metric::ffmas), (Quantity{2 * 16 * 5, Source::predicted, {}}));
}

TEST(Roofline, OfAnotherGpuIsThatOfARunThere) {
    const LaunchRecord here = run("gemm", 64, 64, "h200", {{"emu:rtx4090", *arch::find_gpu("rtx4090")}});
    const LaunchRecord there = run("gemm", 64, 64, "rtx4090");
    ASSERT_EQ(here.estimates.size(), 1u);
    ASSERT_EQ(here.estimates[0].roofline.size(), there.roofline.size());
    for (std::size_t i = 0; i < there.roofline.size(); ++i) {
        EXPECT_EQ(here.estimates[0].roofline[i].work, there.roofline[i].work);
        EXPECT_EQ(here.estimates[0].roofline[i].performance, there.roofline[i].performance);
        EXPECT_EQ(here.estimates[0].roofline[i].roof, there.roofline[i].roof);
    }
    EXPECT_EQ(here.estimates[0].ceilings.size(), model::ceilings(*arch::find_gpu("rtx4090")).size());
}

} // namespace
} // namespace apod::device
