#include "ptx/fixture_test.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

namespace apod::ptx {
namespace {

using testing::error_of;
using testing::parsed;

const Variable& variable_of(const testing::ModulePtr& module, const std::string& name) {
    static const Variable missing;
    if (const Variable* found = module->find_variable(name)) return *found;
    ADD_FAILURE() << "no variable " << name;
    return missing;
}

template<class T> T element(const Variable& variable, std::size_t index) {
    T value{};
    EXPECT_LE((index + 1) * sizeof(T), variable.initial.size());
    if ((index + 1) * sizeof(T) <= variable.initial.size()) std::memcpy(&value, variable.initial.data() + index * sizeof(T), sizeof(T));
    return value;
}

TEST(ParseVariable, space_type_alignment_and_dimensions_are_kept) {
    const auto m = parsed(".visible .global .align 16 .b8 a[4][8];\n.const .v4 .f32 c[2];\n.extern .shared .align 8 .b8 s[];\n"
                          ".weak .global .u16 w, x[3];\n.global .attribute(.managed) .align 4 .u32 m = 5;\n");
    EXPECT_EQ(m->variables.size(), 6u);
    const Variable& a = variable_of(m, "a");
    EXPECT_EQ(a.linkage, Linkage::visible);
    EXPECT_EQ(a.elements, 32u);
    EXPECT_EQ(a.size_bytes(), 32u);
    EXPECT_EQ(a.alignment_bytes(), 16u);
    EXPECT_EQ(variable_of(m, "c").size_bytes(), 32u);
    EXPECT_EQ(variable_of(m, "c").alignment_bytes(), 16u);
    EXPECT_TRUE(variable_of(m, "s").unsized_array);
    EXPECT_EQ(variable_of(m, "s").elements, 0u);
    EXPECT_EQ(variable_of(m, "x").size_bytes(), 6u);
    EXPECT_EQ(variable_of(m, "x").linkage, Linkage::weak);
    EXPECT_TRUE(variable_of(m, "m").managed);
    EXPECT_EQ(variable_of(m, "m").position.line, 8u);
}

TEST(ParseVariable, numbers_become_the_bytes_of_their_type) {
    const auto m =
        parsed(".global .u16 h[3] = {1, 0xffff, -2};\n.global .f32 f[3] = {0f3F800000, 2.5, -1};\n.global .f64 d = 0d3FF8000000000000;\n"
               ".global .b32 b = 0f40000000;\n.global .u64 u = 18446744073709551615;\n.global .u32 w = WARP_SZ * 2 + 1;\n");
    EXPECT_EQ(element<std::uint16_t>(variable_of(m, "h"), 1), 0xffffu);
    EXPECT_EQ(element<std::int16_t>(variable_of(m, "h"), 2), -2);
    EXPECT_EQ(element<float>(variable_of(m, "f"), 0), 1.0f);
    EXPECT_EQ(element<float>(variable_of(m, "f"), 1), 2.5f);
    EXPECT_EQ(element<float>(variable_of(m, "f"), 2), -1.0f);
    EXPECT_EQ(element<double>(variable_of(m, "d"), 0), 1.5);
    EXPECT_EQ(element<float>(variable_of(m, "b"), 0), 2.0f);
    EXPECT_EQ(element<std::uint64_t>(variable_of(m, "u"), 0), ~0ull);
    EXPECT_EQ(element<std::uint32_t>(variable_of(m, "w"), 0), 65u);
}

TEST(ParseVariable, nested_braces_start_rows_and_what_is_left_out_is_zero) {
    const auto m =
        parsed(".global .s32 a[2][3] = {{1}, {4, 5}};\n.global .s32 open[] = {7, 8, 9};\n.global .s32 rows[][2] = {{1}, {2, 3}, {4}};\n"
               ".global .v2 .s32 v[2] = {{1, 2}, {3}};\n");
    EXPECT_EQ(element<int>(variable_of(m, "a"), 0), 1);
    EXPECT_EQ(element<int>(variable_of(m, "a"), 1), 0);
    EXPECT_EQ(element<int>(variable_of(m, "a"), 3), 4);
    EXPECT_EQ(variable_of(m, "a").initial.size(), 20u);
    EXPECT_EQ(variable_of(m, "open").elements, 3u);
    EXPECT_FALSE(variable_of(m, "open").unsized_array);
    EXPECT_EQ(variable_of(m, "rows").elements, 6u);
    EXPECT_EQ(element<int>(variable_of(m, "rows"), 4), 4);
    EXPECT_EQ(element<int>(variable_of(m, "v"), 2), 3);
}

TEST(ParseVariable, addresses_become_relocations_with_addends_and_masks) {
    const auto m = parsed(".global .b8 t[16];\n.func f() { ret; }\n.global .u64 p[4] = {generic(t)+4, f, 7, t-8};\n"
                          ".global .u8 q[2] = {0xff(t), 0xff00(t+4)};\n.global .u64 g = generic(t+8);\n");
    const auto& p = variable_of(m, "p").relocations;
    ASSERT_EQ(p.size(), 3u);
    EXPECT_TRUE(p[0].generic);
    EXPECT_EQ(p[0].symbol, "t");
    EXPECT_EQ(p[0].addend, 4);
    EXPECT_EQ(p[1].symbol, "f");
    EXPECT_EQ(p[1].offset, 8u);
    EXPECT_EQ(p[2].offset, 24u);
    EXPECT_EQ(p[2].addend, -8);
    EXPECT_EQ(element<std::uint64_t>(variable_of(m, "p"), 2), 7u);
    const auto& q = variable_of(m, "q").relocations;
    ASSERT_EQ(q.size(), 2u);
    EXPECT_EQ(q[1].bytes, 1u);
    EXPECT_EQ(q[1].mask_shift, 1u);
    EXPECT_EQ(q[1].addend, 4);
    EXPECT_EQ(variable_of(m, "g").relocations.at(0).addend, 8);
}

TEST(ParseVariable, a_definition_takes_the_place_of_an_extern_declaration) {
    const auto m = parsed(".extern .global .u32 x;\n.visible .global .u32 x = 3;\n.extern .global .u32 x;\n");
    ASSERT_EQ(m->variables.size(), 1u);
    EXPECT_EQ(m->variables[0].linkage, Linkage::visible);
    EXPECT_EQ(element<int>(m->variables[0], 0), 3);
}

TEST(ParseVariable, samplers_and_textures_have_no_bytes) {
    const auto m =
        parsed(".global .texref t;\n.global .samplerref s = { addr_mode_0 = clamp_to_border, filter_mode = nearest };\n.tex .u32 old;\n");
    EXPECT_EQ(variable_of(m, "t").type, Type::texref);
    EXPECT_TRUE(variable_of(m, "s").initial.empty());
    EXPECT_EQ(variable_of(m, "old").type, Type::texref);
}

TEST(ParseVariable, large_arrays_cost_only_what_their_initialiser_spells_out) {
    const auto m = parsed(".global .b8 huge[100000000000] = {1};\n");
    EXPECT_EQ(variable_of(m, "huge").initial.size(), 1u);
    EXPECT_EQ(variable_of(m, "huge").size_bytes(), 100000000000u);
    EXPECT_EQ(error_of(".global .b8 a[2][500000000] = {{1}, {2}};\n"), "4:38: the initialisers skip over too much");
}

TEST(ParseVariable, mistakes_are_refused_where_they_stand) {
    EXPECT_EQ(error_of(".global .u32 a;\n.global .u32 a;\n"), "5:14: 'a' is already declared");
    EXPECT_EQ(error_of(".global .u32 a[2] = {1, 2, 3};\n"), "4:28: 'a' has 2 elements, but more values");
    EXPECT_EQ(error_of(".global .u32 a[2] = {{1}};\n"), "4:22: more nested braces than dimensions");
    EXPECT_EQ(error_of(".global .u64 a = b;\n"), "4:18: 'b' is not declared");
    EXPECT_EQ(error_of(".shared .u32 a = 1;\n"), "4:16: only .global and .const variables take an initialiser");
    EXPECT_EQ(error_of(".global a;\n"), "4:9: expected a type, found 'a'");
    EXPECT_EQ(error_of(".global .align 3 .u32 a;\n"), "4:9: an alignment must be a power of two, at most 1048576");
    EXPECT_EQ(error_of(".global .u32 a[1/0];\n"), "4:17: division by zero in a constant expression");
    EXPECT_EQ(error_of(".global .u32 a[-1];\n"), "4:16: a dimension must be a whole number that is not negative");
    EXPECT_EQ(error_of(".global .u32 a[4294967296][4294967296];\n"), "4:27: 'a' is larger than the address space");
    EXPECT_EQ(error_of(".global .u32 a[][4294967296][4294967296];\n"), "4:29: 'a' is larger than the address space");
    EXPECT_EQ(error_of(".global .u32 a[2][];\n"), "4:18: only the first dimension can be left open");
    EXPECT_EQ(error_of(".global .u32 a[0] = {1};\n"), "4:21: 'a' has no elements to initialise");
    EXPECT_EQ(error_of(".global .u32 a[][0] = {1};\n"), "4:23: 'a' has no elements to initialise");
    EXPECT_EQ(error_of(".global .b16 a = 0f3F800000;\n"), "4:18: a real of 32 bits does not initialise .b16");
    EXPECT_EQ(error_of(".global .u8 a = 0xf0f(a);\n"), "4:17: a mask of an address must select one byte, as 0xff00 does");
    EXPECT_EQ(error_of(".global .u32 a\n"), "5:1: expected ';' after the declaration, found the end of the text");
    EXPECT_EQ(error_of(".global .pred p;\n"), "4:15: predicates live in registers only");
    EXPECT_EQ(error_of(".local .u32 p;\n"), "4:1: expected a function, a variable or another directive of module scope, found '.local'");
}

TEST(ParseConstant, expressions_follow_c) {
    const auto value = [](const std::string& expression) {
        const auto m = parsed(".global .s64 x = " + expression + ";\n");
        return element<std::int64_t>(variable_of(m, "x"), 0);
    };
    EXPECT_EQ(value("1 + 2 * 3 - 4 / 2"), 5);
    EXPECT_EQ(value("(1 + 2) * -3"), -9);
    EXPECT_EQ(value("7 % 4 << 2 | 1"), 13);
    EXPECT_EQ(value("~0 & 0xf0 ^ 0x10"), 0xe0);
    EXPECT_EQ(value("!0 + !5"), 1);
    EXPECT_EQ(value("3 > 2 && 2 >= 2 || 0 ? 10 : 20"), 10);
    EXPECT_EQ(value("-1 < 0"), 1);
    EXPECT_EQ(value("-1 < 0U"), 0);
    EXPECT_EQ(value("(.u64)-1 > 0"), 1);
    EXPECT_EQ(value("-8 >> 1"), -4);
    EXPECT_EQ(value("1 << 64"), 0);
    EXPECT_EQ(value("0x8000000000000000 / -1"), 0); // unsigned
    EXPECT_EQ(value("-9223372036854775807 - 1"), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(value("1.5 * 2 == 3.0"), 1);
    const std::string deep(100, '(');
    EXPECT_EQ(error_of(".global .s64 x = " + deep + "1;\n"), "4:83: the expression is nested too deeply");
    EXPECT_EQ(error_of(".global .s64 x = 1.5 & 1;\n"), "4:22: operator '&' does not take reals");
}

} // namespace
} // namespace apod::ptx
