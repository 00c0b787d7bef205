#include "ptx/fixture_test.hpp"

#include <gtest/gtest.h>

namespace apod::ptx {
namespace {

using testing::error_of;
using testing::kernel;
using testing::parsed;

// The first instruction of a kernel with that body.
class Instructions : public ::testing::Test {
protected:
    const Instruction& first(const std::string& body) {
        module_ = parsed(".global .align 4 .b8 table[16];\n.global .u32 words[8];\n.global .texref picture;\n" + kernel(body + "\nret;"));
        return testing::function_of(module_, "k").instructions.at(0);
    }
    std::string_view register_name(const Operand& operand) const {
        EXPECT_EQ(operand.kind, OperandKind::reg);
        return module_->functions.at(0).registers.at(operand.index).name;
    }

private:
    testing::ModulePtr module_;
};

using ParseInstruction = Instructions;

TEST_F(ParseInstruction, opcode_modifiers_and_guard_are_as_written) {
    const Instruction& i = first("@!%p3 ld.global.L2::128B.v2.f32 {%f1, %f2}, [%rd1+-4];");
    EXPECT_EQ(i.opcode, "ld");
    EXPECT_EQ(i.name(), "ld.global.L2::128B.v2.f32");
    EXPECT_TRUE(i.has("v2"));
    EXPECT_FALSE(i.has("v4"));
    EXPECT_TRUE(i.guard.negated);
    EXPECT_EQ(i.guard.reg, 3u);
    EXPECT_EQ(i.position.column, 7u);
    ASSERT_EQ(i.operands.size(), 2u);
    EXPECT_EQ(i.operands[0].kind, OperandKind::vector);
    EXPECT_EQ(register_name(i.operands[0].children[1]), "%f2");
    EXPECT_EQ(i.operands[1].kind, OperandKind::address);
    EXPECT_EQ(i.operands[1].integer, -4);
    EXPECT_EQ(register_name(i.operands[1].children[0]), "%rd1");
}

TEST_F(ParseInstruction, constants_are_integers_or_reals_of_either_width) {
    const Instruction& i = first("mad.lo.s32 %r1, -5, 0x7fU, -WARP_SZ + (1 << 4);");
    EXPECT_EQ(i.operands[1].integer, -5);
    EXPECT_EQ(i.operands[2].integer, 127);
    EXPECT_EQ(i.operands[3].integer, -16);
    const Instruction& f = first("fma.rn.f32 %f1, 0f3F800000, 0d3FF0000000000000, -1.5;");
    EXPECT_TRUE(f.operands[1].real_is_f32);
    EXPECT_EQ(f.operands[1].real_bits, 0x3f800000u);
    EXPECT_FALSE(f.operands[2].real_is_f32);
    EXPECT_EQ(f.operands[2].real_bits, 0x3ff0000000000000u);
    EXPECT_EQ(f.operands[3].real_bits, 0xbff8000000000000u);
}

TEST_F(ParseInstruction, special_registers_carry_their_component) {
    EXPECT_EQ(first("mov.u32 %r1, %tid.x;").operands[1].kind, OperandKind::special);
    EXPECT_EQ(first("mov.u32 %r1, %ctaid.z;").operands[1].name, "ctaid.z");
    EXPECT_EQ(first("mov.u64 %rd1, %clock64;").operands[1].name, "clock64");
    EXPECT_EQ(first("mov.u32 %r1, %envreg2;").operands[1].name, "envreg2");
}

TEST_F(ParseInstruction, pairs_negations_and_sinks) {
    const Instruction& s = first("setp.eq.and.s32 %p1|%p2, %r1, %r2, !%p3;");
    EXPECT_EQ(s.operands[0].kind, OperandKind::pair);
    EXPECT_EQ(register_name(s.operands[0].children[1]), "%p2");
    EXPECT_TRUE(s.operands[3].negated);
    EXPECT_EQ(first("elect.sync _|%p1, 0xffffffff;").operands[0].children[0].kind, OperandKind::sink);
    EXPECT_EQ(first("shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;").operands[0].kind, OperandKind::pair);
    EXPECT_EQ(first("mov.b64 {%r1, _}, %rd1;").operands[0].children[1].kind, OperandKind::sink);
}

TEST_F(ParseInstruction, symbols_are_resolved_with_their_offset) {
    const Operand& o = first("mov.u64 %rd1, table+8;").operands[1];
    EXPECT_EQ(o.kind, OperandKind::symbol);
    EXPECT_EQ(o.symbol, SymbolKind::module_variable);
    EXPECT_EQ(o.integer, 8);
    EXPECT_EQ(first("mov.u64 %rd1, words[3];").operands[1].integer, 12);
    const Operand& a = first("ld.global.u32 %r1, words[2];").operands[1];
    EXPECT_EQ(a.kind, OperandKind::address);
    EXPECT_EQ(a.integer, 8);
    const Operand& p = first("ld.param.u32 %r1, [n];").operands[1];
    EXPECT_EQ(p.children[0].symbol, SymbolKind::parameter);
    EXPECT_EQ(p.children[0].index, 1u);
    EXPECT_EQ(first("ld.global.u32 %r1, [table+4];").operands[1].integer, 4);
    EXPECT_EQ(first("ld.global.u32 %r1, [4096];").operands[1].children[0].integer, 4096);
}

TEST_F(ParseInstruction, textures_and_tensor_copies_have_coordinates_inside_the_brackets) {
    const Operand& t = first("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [picture, {%f5, %f6}];").operands[1];
    ASSERT_EQ(t.children.size(), 2u);
    EXPECT_EQ(t.children[1].kind, OperandKind::vector);
    const Instruction& b =
        first("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];");
    EXPECT_TRUE(b.has("mbarrier::complete_tx::bytes"));
    EXPECT_EQ(b.operands[1].children[1].children.size(), 2u);
}

TEST_F(ParseInstruction, vector_registers_have_components) {
    const Instruction& i = first(".reg .v4 .f32 v; mov.f32 v.y, v.a;");
    EXPECT_EQ(register_name(i.operands[0]), "v.y");
    EXPECT_EQ(register_name(i.operands[1]), "v.w");
    EXPECT_EQ(first(".reg .v2 .b32 w; ld.global.v2.b32 w, [%rd1];").operands[0].children.size(), 2u);
}

TEST_F(ParseInstruction, video_selectors_stay_with_their_register) {
    const Instruction& i = first("vadd.s32.s32.s32 %r1, %r2.b0, -%r3.h1;");
    EXPECT_EQ(i.operands[1].name, "b0");
    EXPECT_EQ(i.operands[2].name, "h1");
    EXPECT_TRUE(i.operands[2].negated);
}

TEST(ParseOperand, mistakes_are_refused_where_they_stand) {
    EXPECT_EQ(error_of(kernel("ld.global.u32 %r1, [%rd1;")), "5:25: expected ']' at the end of the address, found ';'");
    EXPECT_EQ(error_of(kernel("mov.b64 {%r1, %r2, %rd1;")), "5:24: expected '}' at the end of the group, found ';'");
    EXPECT_EQ(error_of(kernel("mov.u32 %r1, %tid .x;")), "5:19: expected a component such as .x, found '.x'");
    EXPECT_EQ(error_of(kernel("mov.u32 %r1, 0x1g;")), "5:14: '0x1g' is not a number that fits in 64 bits");
    EXPECT_EQ(error_of(kernel("mov.u32 %r1, -%r2;")), "5:14: only registers of video instructions take a minus sign");
    EXPECT_EQ(error_of(kernel("mov.u32 %r1, !%r2;")), "5:14: '!' goes before a predicate register only");
    EXPECT_EQ(error_of(kernel("mov.u32 %r1, ;")), "5:14: expected a constant, found ';'");
    EXPECT_EQ(error_of(kernel("ld.global.u32 %r1, [%rd1+1.5];")), "5:25: an offset must be a whole number");
    EXPECT_EQ(error_of(kernel("mov.b64 {{{{{{{{{{{%r1}}}}}}}}}}}, %rd1;")), "5:18: operands are nested too deeply");
}

} // namespace
} // namespace apod::ptx
