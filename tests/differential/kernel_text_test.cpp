// ptxas makes the same code of a kernel whether its module's other kernels are there or not.
#include "base/file.hpp"
#include "ptx/module.hpp"
#include "ptx/text_of_kernel.hpp"
#include "sass/assemble.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace apod::differential {
namespace {

bool same(const sass::Instruction& a, const sass::Instruction& b) {
    return a.unit == b.unit && a.access == b.access && a.space == b.space && a.flow == b.flow && a.stall == b.stall &&
           a.wait_mask == b.wait_mask && a.target == b.target && a.ptx_line == b.ptx_line;
}

TEST(KernelText, AKernelAloneIsAssembledToTheSameCodeOfTheSameLines) {
    const std::filesystem::path ptxas = APOD_PTXAS_PATH;
    if (!std::filesystem::exists(ptxas)) GTEST_SKIP() << "ptxas is not there";
    int compared = 0;
    for (const char* file : {"/transpose/transpose.ptx", "/spmv/spmv.ptx"}) {
        const auto text = read_file(std::string(APOD_WORKLOADS) + file);
        ASSERT_TRUE(text);
        const auto module = ptx::parse(*text, file);
        ASSERT_TRUE(module);
        for (std::size_t i = 0; i < (*module)->functions.size() && i < 12; ++i) {
            const ptx::Function& function = (*module)->functions[i];
            if (!function.is_entry || !function.has_body) continue;
            const auto whole = sass::assemble(ptxas, *text, function.name, {90});
            const auto alone = sass::assemble(ptxas, ptx::text_of_kernel(*text, function.name), function.name, {90});
            ASSERT_TRUE(whole && alone) << function.name;
            EXPECT_EQ(alone->registers, whole->registers) << function.name;
            EXPECT_EQ(alone->stack_bytes, whole->stack_bytes) << function.name;
            EXPECT_GT(whole->instructions.size(), 0u);
            EXPECT_TRUE(std::equal(alone->instructions.begin(), alone->instructions.end(), whole->instructions.begin(),
                                   whole->instructions.end(), same))
                << function.name;
            ++compared;
        }
    }
    EXPECT_GE(compared, 12);
}

} // namespace
} // namespace apod::differential
