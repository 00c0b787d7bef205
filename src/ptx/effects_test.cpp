#include "ptx/control_flow.hpp"

#include "ptx/fixture_test.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace apod::ptx {
namespace {

std::string names_of(const Function& function, const std::vector<std::uint32_t>& registers) {
    std::string result;
    for (const std::uint32_t r : registers) result += (result.empty() ? "" : " ") + std::string{function.registers[r].name};
    return result;
}

// "reads -> writes" of the first instruction of a kernel.
std::string effects_of(const std::string& instruction) {
    const auto module = testing::parsed(".extern .func f();\n" + testing::kernel(instruction + " ret;"));
    const Function& k = testing::function_of(module, "k");
    const Effects found = effects(k.instructions.at(0));
    return names_of(k, found.reads) + " -> " + names_of(k, found.writes);
}

TEST(Effects, the_first_operand_is_written_and_the_others_are_read) {
    EXPECT_EQ(effects_of("add.s32 %r1, %r2, %r3;"), "%r2 %r3 -> %r1");
    EXPECT_EQ(effects_of("mad.lo.s32 %r1, %r1, %r1, 4;"), "%r1 -> %r1");
    EXPECT_EQ(effects_of("setp.eq.and.s32 %p1|%p2, %r1, %r2, !%p3;"), "%p3 %r1 %r2 -> %p1 %p2");
    EXPECT_EQ(effects_of("shfl.sync.idx.b32 %r1|%p1, %r2, %r3, 31, -1;"), "%r2 %r3 -> %p1 %r1");
    EXPECT_EQ(effects_of("mov.b64 {%r1, _}, %rd1;"), "%rd1 -> %r1");
}

TEST(Effects, addresses_are_read_wherever_they_stand) {
    EXPECT_EQ(effects_of("ld.global.v2.f32 {%f1, %f2}, [%rd1+8];"), "%rd1 -> %f1 %f2");
    EXPECT_EQ(effects_of("st.global.v2.f32 [%rd1], {%f1, %f2};"), "%rd1 %f1 %f2 -> ");
    EXPECT_EQ(effects_of("atom.global.cas.b32 %r1, [%rd1], %r2, %r3;"), "%r2 %r3 %rd1 -> %r1");
    EXPECT_EQ(effects_of("red.global.add.u32 [%rd1], %r2;"), "%r2 %rd1 -> ");
    EXPECT_EQ(effects_of("mbarrier.arrive.shared.b64 %rd1, [%r1];"), "%r1 -> %rd1");
    EXPECT_EQ(effects_of("mbarrier.init.shared.b64 [%r1], %r2;"), "%r1 %r2 -> ");
    EXPECT_EQ(effects_of("cp.async.cg.shared.global [%r1], [%rd1], 16, %r2;"), "%r1 %r2 %rd1 -> ");
    EXPECT_EQ(effects_of("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];"), "%rd1 %f5 %f6 -> %f1 %f2 %f3 %f4");
    EXPECT_EQ(effects_of("wmma.store.d.sync.aligned.row.m8n8k4.f64 [%rd1], {%rd2, %rd3}, %r1;"), "%r1 %rd1 %rd2 %rd3 -> ");
}

TEST(Effects, instructions_without_a_result_write_nothing) {
    EXPECT_EQ(effects_of("bar.sync %r1, %r2;"), "%r1 %r2 -> ");
    EXPECT_EQ(effects_of("bar.red.popc.u32 %r1, %r2, %p1;"), "%p1 %r2 -> %r1");
    EXPECT_EQ(effects_of("nanosleep.u32 %r1;"), "%r1 -> ");
    EXPECT_EQ(effects_of("ts: .branchtargets A; A: brx.idx %r1, ts;"), "%r1 -> ");
    EXPECT_EQ(effects_of("prefetch.global.L2 [%rd1];"), "%rd1 -> ");
    EXPECT_EQ(effects_of("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, %r2;"), "%r1 %r2 -> ");
}

TEST(Effects, accumulators_are_read_and_written) {
    EXPECT_EQ(effects_of("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2}, %rd1, %rd2, 1, 1, 1, 0, 0;"),
              "%rd1 %rd2 %f1 %f2 -> %f1 %f2");
}

TEST(Effects, calls_write_their_results_and_read_target_and_arguments) {
    EXPECT_EQ(effects_of("call (%r1), f, (%r2, %r3);"), "%r2 %r3 -> %r1");
    EXPECT_EQ(effects_of("p: .callprototype _ (); call %rd1, (), p;"), "%rd1 -> ");
}

TEST(Effects, a_guard_is_read_and_may_keep_the_old_value) {
    const auto module = testing::parsed(testing::kernel("@!%p1 mov.u32 %r1, 1; mov.u32 %r1, 2; ret;"));
    const Function& k = testing::function_of(module, "k");
    EXPECT_TRUE(effects(k.instructions[0]).may_keep_old);
    EXPECT_EQ(names_of(k, effects(k.instructions[0]).reads), "%p1");
    EXPECT_FALSE(effects(k.instructions[1]).may_keep_old);
}

} // namespace
} // namespace apod::ptx
