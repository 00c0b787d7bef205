#include "ptx/control_flow.hpp"

#include "ptx/fixture_test.hpp"

#include <gtest/gtest.h>

namespace apod::ptx {
namespace {

using testing::flow_of;
using testing::kernel;
using testing::parsed;

using Blocks = std::vector<std::uint32_t>;

ControlFlow flow(const std::string& body) { return flow_of(parsed(kernel(body)), "k"); }

// "line:column: message" of the error of the kernel's control flow.
std::string flow_error(const std::string& body) {
    const auto module = parsed(kernel(body));
    const auto result = control_flow(*module, module->functions.at(0));
    if (result) return "";
    return std::to_string(result.error().where.line) + ":" + std::to_string(result.error().where.column) + ": " + result.error().message;
}

TEST(ControlFlow, a_conditional_branch_has_the_taken_successor_first) {
    const auto f = flow("@%p1 bra ELSE;\nmov.u32 %r1, 1;\nbra END;\nELSE: mov.u32 %r1, 2;\nEND: mov.u32 %r1, 3;\nret;");
    ASSERT_EQ(f.blocks.size(), 4u);
    EXPECT_EQ(f.blocks[0].successors, (Blocks{2, 1}));
    EXPECT_EQ(f.blocks[0].post_dominator, 3u);
    EXPECT_EQ(f.blocks[0].reconvergence, 3u);
    EXPECT_EQ(f.blocks[3].predecessors, (Blocks{1, 2}));
    EXPECT_EQ(f.blocks[3].post_dominator, none);
    EXPECT_EQ(f.block_of, (Blocks{0, 1, 1, 2, 3, 3}));
}

TEST(ControlFlow, both_successors_are_listed_even_where_they_are_the_same) {
    const auto f = flow("@%p1 bra NEXT;\nNEXT: ret;");
    EXPECT_EQ(f.blocks[0].successors, (Blocks{1, 1}));
    EXPECT_EQ(f.blocks[1].predecessors, (Blocks{0}));
    EXPECT_EQ(f.blocks[0].post_dominator, 1u);
}

TEST(ControlFlow, blocks_end_where_a_warp_may_wait_and_nowhere_else) {
    const auto f = flow(
        "mov.u32 %r1, 1;\nbar.sync 0;\nbar.warp.sync -1;\nshfl.sync.idx.b32 %r1, %r1, 0, 31, -1;\nvote.sync.all.pred %p1, %p2, -1;\n"
        "match.any.sync.b32 %r1, %r2, -1;\nredux.sync.add.s32 %r1, %r2, -1;\nelect.sync _|%p1, -1;\nnanosleep.u32 5;\nbarrier.sync 1;\n"
        "activemask.b32 %r1;\nmbarrier.try_wait.shared.b64 %p1, [%r1], %rd1;\ngriddepcontrol.wait;\nmembar.gl;\n"
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];\nret;");
    EXPECT_EQ(f.blocks.size(), 10u);
    EXPECT_EQ(f.blocks.back().first, 10u);
    EXPECT_EQ(f.blocks[0].successors, (Blocks{1}));
    EXPECT_EQ(f.blocks[0].last, 2u);
}

TEST(ControlFlow, guarded_exits_fall_through_and_plain_ones_do_not) {
    const auto f = flow("@%p1 ret;\n@%p1 exit;\n@%p1 trap;\nexit;\nmov.u32 %r1, 1;");
    ASSERT_EQ(f.blocks.size(), 4u);
    EXPECT_EQ(f.blocks[0].successors, (Blocks{1}));
    EXPECT_EQ(f.blocks[2].successors, (Blocks{3}));
    EXPECT_TRUE(f.blocks[3].successors.empty());
    EXPECT_EQ(f.blocks[0].post_dominator, none);
    EXPECT_EQ(f.blocks[0].reconvergence, 1u);
    EXPECT_EQ(f.block_of[4], none);
}

TEST(ControlFlow, a_call_returns_unless_its_function_says_otherwise) {
    const auto m = parsed(".extern .func f();\n.extern .func g() .noreturn;\n" + kernel("@%p1 bra L;\ncall f;\nret;\nL: call g;"));
    const auto f = flow_of(m, "k");
    ASSERT_EQ(f.blocks.size(), 4u);
    EXPECT_EQ(f.blocks[1].successors, (Blocks{2}));
    EXPECT_TRUE(f.blocks[3].successors.empty());
}

TEST(ControlFlow, an_indexed_branch_has_every_target_in_the_order_of_its_list) {
    const auto f = flow("ts: .branchtargets A, B, A;\nbrx.idx %r1, ts;\nB: ret;\nA: ret;");
    EXPECT_EQ(f.blocks[0].successors, (Blocks{2, 1, 2}));
}

TEST(ControlFlow, lists_of_targets_that_multiply_beyond_measure_are_refused) {
    std::string body = "ts: .branchtargets A";
    for (int i = 0; i < 5000; ++i) body += ", A";
    body += ";\nA:\n";
    for (int i = 0; i < 5000; ++i) body += "@%p1 brx.idx %r1, ts;\n";
    EXPECT_NE(flow_error(body + "ret;").find("too many branch targets in 'k'"), std::string::npos);
}

TEST(ControlFlow, unreachable_instructions_belong_to_no_block) {
    const auto f = flow("bra END;\nDEAD: mov.u32 %r1, 1;\n@%p1 bra DEAD;\nbra END;\nEND: ret;");
    EXPECT_EQ(f.blocks.size(), 2u);
    EXPECT_EQ(f.block_of, (Blocks{0, none, none, none, 1}));
    EXPECT_EQ(f.blocks[1].predecessors, (Blocks{0}));
}

TEST(ControlFlow, loops_nest) {
    const auto f = flow("A: mov.u32 %r1, 0;\nB: add.s32 %r1, %r1, 1;\n@%p1 bra B;\n@%p2 bra A;\nC: @%p3 bra C;\nret;");
    ASSERT_EQ(f.blocks.size(), 5u);
    std::vector<std::uint32_t> depths;
    for (const auto& block : f.blocks) depths.push_back(block.loop_depth);
    EXPECT_EQ(depths, (Blocks{1, 2, 1, 1, 0}));
    EXPECT_EQ(f.blocks[1].post_dominator, 2u);
}

TEST(ControlFlow, a_block_that_cannot_reach_the_end_has_no_post_dominator) {
    const auto f = flow("@%p1 bra L;\nret;\nL: mov.u32 %r1, 1;\nM: bra L;");
    ASSERT_EQ(f.blocks.size(), 3u);
    EXPECT_EQ(f.blocks[2].post_dominator, none);
    EXPECT_EQ(f.blocks[2].reconvergence, none);
    EXPECT_EQ(f.blocks[0].post_dominator, 1u);
}

TEST(ControlFlow, an_irreducible_loop_has_its_post_dominators_and_its_depth) {
    const auto f = flow("@%p1 bra B;\nA: mov.u32 %r1, 1;\nB: @%p2 bra A;\nret;");
    ASSERT_EQ(f.blocks.size(), 4u);
    EXPECT_EQ(f.blocks[0].post_dominator, 2u);
    EXPECT_EQ(f.blocks[1].post_dominator, 2u);
    EXPECT_EQ(f.blocks[2].post_dominator, 3u);
    EXPECT_EQ(f.blocks[1].loop_depth, 1u);
    EXPECT_EQ(f.blocks[2].loop_depth, 1u);
}

TEST(ControlFlow, bodies_without_an_end_are_refused_at_the_last_instruction) {
    EXPECT_EQ(flow_error("mov.u32 %r1, 1;\nmov.u32 %r1, 2;"), "6:1: execution can run past the end of 'k' after this instruction");
    EXPECT_EQ(flow_error("@%p1 ret;"), "5:6: execution can run past the end of 'k' after this instruction");
    EXPECT_EQ(flow_error("bra END;\nEND:"), "5:1: execution can run past the end of 'k' after this instruction");
}

TEST(ControlFlow, branches_to_what_is_no_label_are_refused) {
    EXPECT_EQ(flow_error("bra 5;"), "5:5: bra takes a label");
    EXPECT_EQ(flow_error("bra;"), "5:1: bra takes one label");
    EXPECT_EQ(flow_error("ts: .branchtargets A;\nA: brx.idx %r1, A;"), "6:17: brx takes the name of a .branchtargets list");
}

// The lanes' masks of these shapes were observed on an H200 with activemask.
TEST(Reconvergence, lanes_that_return_from_a_loop_are_not_waited_for_behind_it) {
    const auto f = flow("LOOP: @%p1 bra RET;\nadd.s32 %r1, %r1, 1;\n@%p2 bra LOOP;\nmov.u32 %r2, 1;\nRET: ret;");
    ASSERT_EQ(f.blocks.size(), 4u);
    EXPECT_EQ(f.blocks[1].post_dominator, 3u);
    EXPECT_EQ(f.blocks[1].reconvergence, 2u);
    EXPECT_EQ(f.blocks[0].reconvergence, 1u);
}

TEST(Reconvergence, also_when_they_do_something_before_they_return) {
    const auto f = flow("@%p1 bra JOIN;\n@%p2 bra OUT;\nmov.u32 %r1, 1;\nJOIN: mov.u32 %r2, 2;\nbra RET;\nOUT: mov.u32 %r3, 3;\nRET: ret;");
    ASSERT_EQ(f.blocks.size(), 6u);
    EXPECT_EQ(f.blocks[0].post_dominator, 5u);
    EXPECT_EQ(f.blocks[0].reconvergence, 3u);
    EXPECT_EQ(f.blocks[1].reconvergence, 2u);
}

TEST(Reconvergence, of_two_equal_ends_the_later_one_gathers_its_lanes) {
    const auto f = flow(
        "@%p1 bra B;\n@%p2 bra MAIN;\nbra OTHER;\nB: @%p2 bra OTHER;\nMAIN: mov.u32 %r1, 1;\nbra RET;\nOTHER: mov.u32 %r2, 2;\nRET: ret;");
    ASSERT_EQ(f.blocks.size(), 7u);
    EXPECT_EQ(f.blocks[0].reconvergence, 5u);
}

TEST(Reconvergence, lanes_of_a_function_meet_at_its_return) {
    const auto m =
        parsed(".func f() { .reg .pred %p; .reg .b32 %r;\n@%p bra A;\nmov.u32 %r, 1;\nbra RET;\nA: mov.u32 %r, 2;\nRET: ret;\n}\n");
    const auto f = flow_of(m, "f");
    ASSERT_EQ(f.blocks.size(), 4u);
    EXPECT_EQ(f.blocks[0].reconvergence, 3u);
}

TEST(Reconvergence, a_trap_is_no_place_to_meet) {
    const auto f = flow("@%p1 bra JOIN;\n@%p2 bra ON;\ntrap;\nON: mov.u32 %r1, 1;\nJOIN: ret;");
    ASSERT_EQ(f.blocks.size(), 5u);
    EXPECT_EQ(f.blocks[0].post_dominator, none);
    EXPECT_EQ(f.blocks[1].reconvergence, 3u);
}

} // namespace
} // namespace apod::ptx
