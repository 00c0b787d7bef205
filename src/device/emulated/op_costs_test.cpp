// Where issue slots and waiting go, by kernels of which that is known.
#include "device/emulated/emulated.hpp"
#include "model/metric_registry.hpp"
#include "model/predict/limiter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace apod::device {
namespace {

namespace metric = model::metric;

constexpr const char* kernels = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry skewed(.param .u64 data, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .shared .align 4 .b8 bins[256];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p, %r2, 0;
    shl.b32 %r3, %r1, 2;
    mov.u32 %r4, bins;
    @%p mov.u32 %r3, 0;
    add.u32 %r3, %r3, %r4;
    red.shared.add.u32 [%r3], 1;
    ret;
}
.visible .entry loads(.param .u64 data, .param .u32 n)
{
    .reg .b32 %r<6>;
    .reg .f32 %f<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd1, %rd1, %rd2;
    ld.global.f32 %f1, [%rd1];
    ld.global.f32 %f2, [%rd1+4096];
    ld.global.f32 %f3, [%rd1+8192];
    add.f32 %f4, %f1, %f2;
    add.f32 %f4, %f4, %f3;
    st.global.f32 [%rd1], %f4;
    ret;
}
.visible .entry chained(.param .u64 data, .param .u32 n)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd1, %rd1, %rd2;
    ld.global.u32 %r2, [%rd1];
    and.b32 %r2, %r2, 0;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd2, %rd1, %rd2;
    ld.global.u32 %r3, [%rd2+4096];
    and.b32 %r3, %r3, 0;
    mul.wide.u32 %rd2, %r3, 4;
    add.s64 %rd2, %rd1, %rd2;
    ld.global.u32 %r4, [%rd2+8192];
    st.global.u32 [%rd1], %r4;
    ret;
}
.visible .entry divides(.param .u64 data, .param .u32 n)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r2, [n];
    mov.u32 %r1, %tid.x;
    bar.sync 0;
    div.u32 %r3, %r1, %r2;
    st.global.u32 [%rd1], %r3;
    ret;
}
)";

bool known(const LimiterShare& share) {
    return std::find(std::begin(model::limiter_names), std::end(model::limiter_names), share.name) != std::end(model::limiter_names);
}

MetricMap run(const char* name) {
    const auto device = make_emulated(*arch::find_gpu("h200"), {2, false, {}});
    const auto code = device->load(kernels, "costs.ptx");
    if (!code) {
        ADD_FAILURE() << to_text(code.error());
        return {};
    }
    const auto kernel = (*code)->kernel(name);
    const auto buffer = device->allocate(1u << 20, "buffer");
    Launch launch;
    launch.grid = {10};
    launch.block = {64};
    const auto* bytes = reinterpret_cast<const std::byte*>(&*buffer);
    launch.parameters.assign(bytes, bytes + 8);
    const std::uint32_t n = 7;
    bytes = reinterpret_cast<const std::byte*>(&n);
    launch.parameters.insert(launch.parameters.end(), bytes, bytes + 4);
    Result<LaunchRecord> record = device->launch(**kernel, launch);
    EXPECT_TRUE(record.ok()) << to_text(record.error());
    if (!record) return {};
    for (const LimiterShare& share : record->shares) EXPECT_TRUE(known(share)) << share.name;
    return record->metrics;
}

double value(const MetricMap& metrics, std::string_view name) { return model::value_or_zero(metrics, name); }

// 20 warps of which 16 lanes want one word and the others their own: 16 turns, though the mean is two lanes an address.
TEST(OpCosts, TurnsOfAtomicsAreThoseOfTheBusiestWord) {
    const MetricMap metrics = run("skewed");
    EXPECT_EQ(value(metrics, metric::shared_atomic_turns), 20 * 16);
    EXPECT_EQ(value(metrics, metric::global_atomic_turns), 0);
    EXPECT_FALSE(metrics.contains(std::string(metric::float_atomics)));
    EXPECT_LT(value(metrics, metric::atomic_lanes_per_address), 2);
    EXPECT_FALSE(metrics.contains(std::string(metric::wait_atomics))) << "nothing waits for a reduction";
}

TEST(OpCosts, LoadsUnderWayTogetherAreWaitedForOnce) {
    const double together = value(run("loads"), metric::wait_memory);
    const double one_by_one = value(run("chained"), metric::wait_memory);
    EXPECT_GT(together, 0);
    EXPECT_GT(one_by_one, 2.5 * together);
    EXPECT_LT(one_by_one, 3.5 * together);
}

TEST(OpCosts, DivisionsBarriersAndWhatIsIssuedForThem) {
    const MetricMap metrics = run("divides");
    EXPECT_GT(value(metrics, metric::issued_division), 20 * 5) << "a sequence of instructions for each";
    EXPECT_GT(value(metrics, metric::wait_special), 0);
    EXPECT_GT(value(metrics, metric::wait_barriers), 0);
    EXPECT_FALSE(metrics.contains(std::string(metric::wait_memory)));
    EXPECT_EQ(metrics.at(std::string(metric::issued)).source, Source::predicted);
    double parts = 0;
    for (const std::string_view name : {metric::issued_memory, metric::issued_arithmetic, metric::issued_integer, metric::issued_division,
                                        metric::issued_conversion, metric::issued_control})
        parts += value(metrics, name);
    EXPECT_LE(parts, value(metrics, metric::issued));
}

} // namespace
} // namespace apod::device
