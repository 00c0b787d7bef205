#include "ptx/control_flow.hpp"

#include "ptx/fixture_test.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace apod::ptx {
namespace {

using testing::flow_of;
using testing::kernel;
using testing::parsed;

std::string names_of(const Function& function, const std::vector<std::uint32_t>& registers) {
    std::string result;
    for (const std::uint32_t r : registers) result += (result.empty() ? "" : " ") + std::string{function.registers[r].name};
    return result;
}

TEST(Liveness, a_register_lives_from_its_write_to_its_last_read_also_around_a_loop) {
    const auto m = parsed(kernel("mov.u32 %r1, 0;\nmov.u32 %r2, 5;\nL: add.s32 %r1, %r1, %r2;\nsetp.lt.s32 %p1, %r1, 100;\n@%p1 bra L;\n"
                                 "st.global.u32 [%rd1], %r1;\nret;"));
    const Function& k = testing::function_of(m, "k");
    const auto flow = flow_of(m, "k");
    const auto live = liveness(k, flow);
    ASSERT_EQ(flow.blocks.size(), 3u);
    EXPECT_EQ(names_of(k, live.live_in[0]), "%rd1");
    EXPECT_EQ(names_of(k, live.live_out[0]), "%r1 %r2 %rd1");
    EXPECT_EQ(names_of(k, live.live_out[1]), "%r1 %r2 %rd1");
    EXPECT_EQ(names_of(k, live.live_in[2]), "%r1 %rd1");
    EXPECT_EQ(names_of(k, live.live_out[2]), "");
    EXPECT_EQ(live.max_pressure_32, 4u); // r1, r2 and the pair rd1; the predicate does not count
}

TEST(Liveness, a_guarded_write_does_not_end_the_old_value) {
    const auto m = parsed(kernel("@%p1 mov.u32 %r1, 1;\nbra L;\nL: st.global.u32 [%rd1], %r1;\nret;"));
    const auto live = liveness(m->functions[0], flow_of(m, "k"));
    EXPECT_EQ(names_of(m->functions[0], live.live_in[0]), "%p1 %r1 %rd1");
}

TEST(Liveness, a_result_that_nobody_reads_still_needs_a_register) {
    const auto m = parsed(kernel("mov.u64 %rd1, 1;\nret;"));
    EXPECT_EQ(liveness(m->functions[0], flow_of(m, "k")).max_pressure_32, 2u);
}

std::string random_body(std::mt19937& random) {
    const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
    std::string body;
    const unsigned count = 4 + below(20);
    for (unsigned i = 0; i < count; ++i) {
        body += "L" + std::to_string(i) + ": ";
        const auto reg = [&] { return "%r" + std::to_string(below(9)); };
        if (below(3) == 0) body += "@%p" + std::to_string(below(4)) + " ";
        switch (below(5)) {
        case 0: body += "bra L" + std::to_string(below(count)) + ";\n"; break;
        case 1: body += "st.global.u32 [%rd1], " + reg() + ";\n"; break;
        default: body += "add.s32 " + reg() + ", " + reg() + ", " + reg() + ";\n"; break;
        }
    }
    return body + "ret;";
}

// The definition: live at an instruction when some path reads the register before one that certainly writes it.
std::set<std::uint32_t> slow_live_in(const Function& function, const ControlFlow& flow, std::uint32_t block,
                                     std::vector<std::set<std::uint32_t>>& in) {
    std::set<std::uint32_t> live;
    for (const std::uint32_t s : flow.blocks[block].successors) live.insert(in[s].begin(), in[s].end());
    for (std::uint32_t i = flow.blocks[block].last; i-- > flow.blocks[block].first;) {
        const Effects here = effects(function.instructions[i]);
        if (!here.may_keep_old)
            for (const std::uint32_t r : here.writes) live.erase(r);
        live.insert(here.reads.begin(), here.reads.end());
    }
    return live;
}

TEST(Liveness, agrees_with_iteration_to_a_fixed_point_on_random_programs) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        std::mt19937 random{seed};
        const auto m = parsed(kernel(random_body(random)));
        const Function& k = m->functions.at(0);
        const auto flow = flow_of(m, "k");
        const auto live = liveness(k, flow);
        std::vector<std::set<std::uint32_t>> in(flow.blocks.size());
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t b = 0; b < in.size(); ++b) {
                auto now = slow_live_in(k, flow, b, in);
                changed |= now != in[b];
                in[b] = std::move(now);
            }
        }
        for (std::uint32_t b = 0; b < in.size(); ++b) {
            EXPECT_EQ(std::vector<std::uint32_t>(in[b].begin(), in[b].end()), live.live_in[b]) << "seed " << seed << " block " << b;
            std::set<std::uint32_t> out;
            for (const std::uint32_t s : flow.blocks[b].successors) out.insert(in[s].begin(), in[s].end());
            EXPECT_EQ(std::vector<std::uint32_t>(out.begin(), out.end()), live.live_out[b]) << "seed " << seed << " block " << b;
        }
    }
}

} // namespace
} // namespace apod::ptx
