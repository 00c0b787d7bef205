#include "ptx/fixture_test.hpp"

#include <gtest/gtest.h>

namespace apod::ptx {
namespace {

using testing::error_of;
using testing::function_of;
using testing::kernel;
using testing::parsed;

TEST(ParseDebug, files_are_found_by_their_index_wherever_they_stand) {
    const auto m = parsed(".file 2 \"b \\\"x\\\".cu\", 1700000000, 4096\n" + kernel("ret;") + ".file 7 \"c\\\\d.cu\"\n");
    EXPECT_EQ(m->file_name(2), "b \"x\".cu");
    EXPECT_EQ(m->file_name(7), "c\\d.cu");
    EXPECT_EQ(m->file_name(1), "");
}

TEST(ParseDebug, instructions_share_the_location_before_them) {
    const auto m = parsed(kernel("mov.u32 %r1, 1;\n.loc 1 10 3\nmov.u32 %r1, 2;\nmov.u32 %r1, 3;\n.loc 1 11 0\nret;"));
    const auto& code = function_of(m, "k").instructions;
    EXPECT_EQ(code[0].location, none);
    EXPECT_EQ(code[1].location, code[2].location);
    EXPECT_EQ(m->locations[code[1].location].line, 10u);
    EXPECT_EQ(m->locations[code[1].location].column, 3u);
    EXPECT_EQ(m->locations[code[3].location].line, 11u);
}

TEST(ParseDebug, inlined_code_names_its_function_and_its_call_site) {
    const auto m = parsed(kernel(".loc 2 110 3, function_name $L__info1, inlined_at 1 20 5\nmov.u32 %r1, 1;\n"
                                 ".loc 2 111 3, function_name .debug_str + 1, inlined_at 1 21 5\nret;") +
                          ".section .debug_str\n{\n$L__info0:\n.b8 97,98,0\n$L__info1:\n.b8 99,\n100,0\n}\n");
    const SourceLocation& at = m->locations.at(0);
    EXPECT_EQ(at.function, "cd");
    EXPECT_EQ(at.file, 2u);
    EXPECT_EQ(at.inlined_file, 1u);
    EXPECT_EQ(at.inlined_line, 20u);
    EXPECT_EQ(at.inlined_column, 5u);
    EXPECT_EQ(m->locations.at(1).function, "b");
}

TEST(ParseDebug, other_sections_are_passed_over) {
    const auto m = parsed(".section .debug_info { .b32 5 \n.b8 1\n.b64 .debug_abbrev+4\n}\n.section \".note\" {}\n" + kernel("ret;"));
    EXPECT_EQ(m->functions.size(), 1u);
}

TEST(ParseDebug, a_name_that_is_not_there_is_left_empty) {
    const auto m = parsed(kernel(".loc 1 2 3, function_name $nowhere, inlined_at 1 2 3\nret;") + ".section .debug_str { $x: .b8 97,0 }\n");
    EXPECT_EQ(m->locations.at(0).function, "");
}

TEST(ParseDebug, mistakes_are_refused_where_they_stand) {
    EXPECT_EQ(error_of(".file x \"a\"\n"), "4:7: expected the index of .file, found 'x'");
    EXPECT_EQ(error_of(".file 1 a\n"), "4:9: expected the file's name in quotes, found 'a'");
    EXPECT_EQ(error_of(".section .debug_info { .b8 1\n"), "5:1: expected '}' at the end of the section, found the end of the text");
    EXPECT_EQ(error_of(kernel(".loc 1 5000000000 1\n")), "5:8: expected the line of .loc, a 32-bit number, found '5000000000'");
}

} // namespace
} // namespace apod::ptx
