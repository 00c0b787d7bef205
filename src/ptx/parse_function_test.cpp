#include "ptx/fixture_test.hpp"

#include <gtest/gtest.h>

namespace apod::ptx {
namespace {

using testing::error_of;
using testing::function_of;
using testing::kernel;
using testing::parsed;

TEST(ParseModule, the_header_is_read) {
    const auto result = parse("// made by hand\n.version 8.10\n.target sm_90a, debug\n.address_size 64\n", "a.ptx");
    ASSERT_TRUE(result);
    const Module& m = **result;
    EXPECT_EQ(m.file, "a.ptx");
    EXPECT_EQ(m.version_major, 8u);
    EXPECT_EQ(m.version_minor, 10u);
    EXPECT_EQ(m.target, "sm_90a");
    EXPECT_EQ(m.target_options, std::vector<std::string_view>{"debug"});
    EXPECT_EQ(m.address_size, 64u);
}

TEST(ParseModule, text_that_is_not_ptx_is_refused_with_advice) {
    for (const std::string text : {"", "int main() {}",
                                   "\x7f"
                                   "ELF",
                                   ".target sm_90", ".version nine"}) {
        const auto result = parse(text, "a");
        ASSERT_FALSE(result) << text;
        EXPECT_EQ(result.error().where.line, 1u);
    }
    EXPECT_NE(parse("", "a").error().hint, "");
}

TEST(ParseModule, zeros_at_the_end_of_the_text_are_padding) {
    EXPECT_TRUE(parse(std::string{testing::header} + std::string(9, '\0'), "a"));
}

TEST(ParseFunction, parameters_of_kernels_keep_type_alignment_size_and_what_they_point_to) {
    const auto m = parsed(".visible .entry k(.param .align 8 .b8 p[24], .param .u64 .ptr .global .align 1 q, .param .u32 n) { ret; }\n");
    const Function& k = function_of(m, "k");
    EXPECT_TRUE(k.is_entry);
    EXPECT_TRUE(k.has_body);
    EXPECT_EQ(k.linkage, Linkage::visible);
    ASSERT_EQ(k.parameters.size(), 3u);
    EXPECT_EQ(k.parameters[0].size_bytes(), 24u);
    EXPECT_EQ(k.parameters[0].alignment_bytes(), 8u);
    EXPECT_TRUE(k.parameters[1].pointer);
    EXPECT_EQ(k.parameters[1].alignment_bytes(), 8u);
    EXPECT_EQ(k.parameters[2].space, Space::param);
}

TEST(ParseFunction, tuning_directives_fill_up_with_ones) {
    const auto m =
        parsed(".entry k .maxntid 256 .minnctapersm 2 .maxnreg 64 { ret; }\n"
               ".entry l .reqntid 16, 8 .reqnctapercluster 2, 1, 1 .explicitcluster .maxclusterrank 8 .pragma \"x\"; { ret; }\n");
    const Tuning& k = function_of(m, "k").tuning;
    EXPECT_EQ(k.max_threads[0], 256u);
    EXPECT_EQ(k.max_threads[2], 1u);
    EXPECT_EQ(k.min_blocks_per_sm, 2u);
    EXPECT_EQ(k.max_registers, 64u);
    EXPECT_EQ(k.required_threads[0], 0u);
    const Tuning& l = function_of(m, "l").tuning;
    EXPECT_EQ(l.required_threads[1], 8u);
    EXPECT_EQ(l.required_threads[2], 1u);
    EXPECT_EQ(l.required_cluster[0], 2u);
    EXPECT_TRUE(l.explicit_cluster);
    EXPECT_EQ(l.max_cluster_rank, 8u);
    EXPECT_EQ(function_of(m, "l").pragmas, std::vector<std::string_view>{"x"});
}

TEST(ParseFunction, a_definition_takes_the_place_of_its_declaration_and_can_call_itself) {
    const auto m = parsed(".func (.param .b32 r) f(.param .b32 x);\n.extern .func g() .noreturn;\n"
                          ".func (.param .b32 r) f(.param .b32 x) {\n{ .param .b32 v; call (v), f, (x); }\ncall g;\nret; }\n");
    ASSERT_EQ(m->functions.size(), 2u);
    const Function& f = m->functions[0];
    EXPECT_TRUE(f.has_body);
    EXPECT_TRUE(m->functions[1].noreturn);
    const auto& operands = f.instructions[0].operands;
    ASSERT_EQ(operands.size(), 3u);
    EXPECT_EQ(operands[0].kind, OperandKind::list);
    EXPECT_EQ(operands[0].children.at(0).symbol, SymbolKind::function_variable);
    EXPECT_EQ(operands[1].symbol, SymbolKind::function);
    EXPECT_EQ(operands[1].index, 0u);
    EXPECT_EQ(operands[2].children.at(0).symbol, SymbolKind::parameter);
    EXPECT_EQ(f.instructions[1].operands.at(0).index, 1u);
}

TEST(ParseFunction, parameters_in_register_space_are_registers_of_the_body) {
    const auto m = parsed(".func (.reg .b32 r) f(.reg .b32 x) { add.s32 r, x, 1; ret; }\n");
    const Function& f = function_of(m, "f");
    ASSERT_EQ(f.registers.size(), 2u);
    EXPECT_EQ(f.instructions[0].operands[0].index, 0u);
    EXPECT_EQ(f.instructions[0].operands[1].index, 1u);
    EXPECT_EQ(f.parameters[0].space, Space::reg);
}

TEST(ParseFunction, calls_through_pointers_name_their_prototype_or_their_targets) {
    const auto m = parsed(".func f() { ret; }\n.func g() { ret; }\n" +
                          kernel("proto: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;\nlist: .calltargets f, g;\n"
                                 "{ .param .b32 r; .param .b64 x; call (r), %rd1, (x), proto; }\ncall %rd1, (), list; ret;"));
    const Function& k = function_of(m, "k");
    ASSERT_EQ(k.prototypes.size(), 1u);
    EXPECT_TRUE(k.prototypes[0].noreturn);
    EXPECT_EQ(k.prototypes[0].parameters.size(), 1u);
    EXPECT_EQ(k.instructions[0].operands[3].symbol, SymbolKind::prototype);
    EXPECT_EQ(k.instructions[1].operands[2].symbol, SymbolKind::label_list);
    EXPECT_EQ(k.label_lists[0].targets[1].index, 1u);
}

TEST(ParseFunction, an_alias_names_the_function_behind_it) {
    const auto m =
        parsed(".func f() { ret; }\n.func other();\n.global .u64 p = other;\n" + kernel("call other; ret;") + ".alias other, f;\n");
    EXPECT_EQ(function_of(m, "k").instructions[0].operands[0].index, 0u);
    EXPECT_EQ(function_of(m, "k").instructions[0].operands[0].name, "f");
    EXPECT_EQ(m->variables[0].relocations[0].symbol, "f");
}

TEST(ParseBody, registers_of_all_scopes_have_one_table_and_inner_ones_hide_outer_ones) {
    const auto m =
        parsed(".entry k() { .reg .b32 t, %r<2>; mov.b32 t, 1; { .reg .b32 t; mov.b32 t, 2; { .reg .f32 t; mov.f32 t, 0f00000000; } "
               "mov.b32 t, 3; } mov.b32 t, %r1; ret; }\n");
    const Function& k = function_of(m, "k");
    ASSERT_EQ(k.registers.size(), 5u);
    EXPECT_EQ(k.registers[0].name, "t");
    EXPECT_EQ(k.registers[2].name, "%r1");
    EXPECT_EQ(k.registers[4].type, Type::f32);
    const std::vector<std::uint32_t> written{0, 3, 4, 3, 0};
    for (std::size_t i = 0; i < written.size(); ++i) EXPECT_EQ(k.instructions[i].operands[0].index, written[i]) << i;
}

TEST(ParseBody, labels_belong_to_their_scope_and_may_be_used_before_they_stand) {
    const auto m = parsed(testing::kernel("bra out;\n{ in: bra in; bra out; { in: bra in; } }\n{ in: bra in; }\nout: ret;"));
    const Function& k = function_of(m, "k");
    ASSERT_EQ(k.labels.size(), 4u);
    const std::vector<std::uint32_t> targets{3, 0, 3, 1, 2}; // label indices
    for (std::size_t i = 0; i < targets.size(); ++i) EXPECT_EQ(k.instructions[i].operands[0].index, targets[i]) << i;
    EXPECT_EQ(k.labels[3].instruction, 5u);
}

TEST(ParseBody, an_indexed_branch_has_its_list_of_labels) {
    const auto m = parsed(kernel("ts: .branchtargets A, B, A;\nbrx.idx %r1, ts;\nA: ret;\nB: ret;"));
    const Function& k = function_of(m, "k");
    ASSERT_EQ(k.label_lists.size(), 1u);
    EXPECT_EQ(k.label_lists[0].targets[2].kind, OperandKind::label);
    EXPECT_EQ(k.label_lists[0].targets[1].index, 1u);
    EXPECT_EQ(k.instructions[0].operands[1].symbol, SymbolKind::label_list);
}

TEST(ParseBody, variables_of_scopes_are_told_apart) {
    const auto m = parsed(
        kernel(".shared .align 4 .b8 tile[64];\n{ .param .b32 p0; st.param.b32 [p0+0], 1; }\n{ .param .b32 p0; st.param.b32 [p0], 2; }\n"
               "st.shared.u32 [tile+4], %r1; ret;"));
    const Function& k = function_of(m, "k");
    ASSERT_EQ(k.variables.size(), 3u);
    EXPECT_EQ(k.instructions[0].operands[0].children[0].index, 1u);
    EXPECT_EQ(k.instructions[1].operands[0].children[0].index, 2u);
    EXPECT_EQ(k.instructions[2].operands[0].integer, 4);
}

TEST(ParseBody, mistakes_are_refused_where_they_stand) {
    EXPECT_EQ(error_of(kernel("  mov.u32 %r1, %r9;")), "5:16: '%r9' is neither a declared register nor a special one");
    EXPECT_EQ(error_of(kernel("mov.u64 %rd1, nowhere;")), "5:15: 'nowhere' is not declared");
    EXPECT_EQ(error_of(kernel("bra gone; ret;")), "5:5: there is no label 'gone' in function 'k'");
    EXPECT_EQ(error_of(kernel("{ a: ret; } bra a;")), "5:17: there is no label 'a' in function 'k'");
    EXPECT_EQ(error_of(kernel("a: a: ret;")), "5:4: label 'a' is already used in this scope");
    EXPECT_EQ(error_of(kernel(".reg .b32 %r3;")), "5:11: '%r3' is already declared in this scope");
    EXPECT_EQ(error_of(kernel("@%r1 ret;")), "5:2: guard '%r1' is not a predicate register");
    EXPECT_EQ(error_of(kernel("@%q ret;")), "5:2: '%q' is not a declared register");
    EXPECT_EQ(error_of(kernel("add.s32 %r1, %r2 %r3;")), "5:18: expected ',' or ';' after an operand of 'add', found '%r3'");
    EXPECT_EQ(error_of(".entry k() { ret;"),
              "4:18: expected an instruction, a declaration or '}' in function 'k', found the end of the text");
    EXPECT_EQ(error_of(".entry k() { ret; }\n.entry k() { ret; }\n"), "5:8: function 'k' is already defined");
    EXPECT_EQ(error_of(".global .u32 k;\n.entry k() { ret; }\n"), "5:8: 'k' is already declared as a variable");
    EXPECT_EQ(error_of(".entry k() .maxfoo 3 { ret; }\n"), "4:20: unknown directive '.maxfoo' after the header of 'k'");
    EXPECT_EQ(error_of(".entry k() .maxntid 1, 2, 3, 4 { ret; }\n"), "4:30: expected at most three dimensions, found '4'");
    EXPECT_EQ(error_of(".entry k(.param .u32 a, .param .u32 a) { ret; }\n"), "4:37: parameter 'a' is already declared");
    EXPECT_EQ(error_of(".alias a, b;\n"), "4:8: 'a' is not a declared function");
    EXPECT_EQ(error_of(kernel(std::string(200, '{'))), "5:128: scopes are nested too deeply");
    EXPECT_EQ(error_of(kernel("\x01")),
              "5:1: expected an instruction, a declaration or '}' in function 'k', found a byte that PTX does not use");
}

TEST(ParseBody, registers_are_counted_before_they_are_made) {
    EXPECT_EQ(error_of(kernel(".reg .b32 %x<4000000000>;")), "5:11: more than 4194304 registers in one module");
}

} // namespace
} // namespace apod::ptx
