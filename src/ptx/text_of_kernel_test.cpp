#include "ptx/text_of_kernel.hpp"

#include "ptx/fixture_test.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace apod::ptx {
namespace {

const std::string four_kernels = std::string{testing::header} + R"(
.extern .func print;
.global .u32 seen = 7;
.visible .entry first(.param .u64 p)
{
    // a brace in a comment: }
    ret;
}
.func helper() { ret; }
.weak .entry
second()
.maxntid 32
{
    .reg .u32 %r<3>;
    { .reg .u32 %r; mov.u32 %r, 1; }
    call helper;
    ret;
}
.entry third() { ret; }
.entry fourth() { ret; }
.file 1 "a.cu"
)";

std::uint32_t line_of(const Module& module, std::string_view kernel) {
    return module.find_function(kernel)->instructions.back().position.line;
}

TEST(TextOfKernel, the_other_kernels_are_gone_and_the_rest_stays_in_its_line) {
    const auto whole = parse(four_kernels, "a.ptx");
    ASSERT_TRUE(whole);
    for (const std::string_view kept : {"first", "second", "third", "fourth"}) {
        const std::string text = text_of_kernel(four_kernels, kept);
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), std::count(four_kernels.begin(), four_kernels.end(), '\n')) << kept;
        const auto alone = parse(text, "a.ptx");
        ASSERT_TRUE(alone) << text;
        EXPECT_EQ(line_of(**alone, kept), line_of(**whole, kept));
        EXPECT_EQ(line_of(**alone, "helper"), line_of(**whole, "helper"));
        EXPECT_NE((*alone)->find_variable("seen"), nullptr);
        EXPECT_EQ((*alone)->files.size(), 1u);
        const auto& functions = (*alone)->functions;
        EXPECT_EQ(std::count_if(functions.begin(), functions.end(), [](const Function& f) { return f.is_entry; }), 1) << kept;
    }
}

TEST(TextOfKernel, a_module_of_one_kernel_is_as_it_was) {
    const testing::ModulePtr whole = testing::parsed(testing::kernel("ret;"));
    EXPECT_EQ(text_of_kernel(whole->text, "k"), whole->text);
}

TEST(TextOfKernel, any_bytes_come_through) {
    for (const std::string text :
         {"", ".visible", ".entry", ".visible .entry a {", ".entry a(.param .u64 p", "} .entry b { } }", "/* ", ".entry {"})
        EXPECT_LE(text_of_kernel(text, "k").size(), text.size()) << text;
}

} // namespace
} // namespace apod::ptx
