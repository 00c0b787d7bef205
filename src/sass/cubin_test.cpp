#include "sass/cubin.hpp"

#include "sass/assemble.hpp"
#include "sass/flow.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace apod::sass {
namespace {

TEST(Cubin, BytesThatAreNoneAreRefused) {
    for (const std::string& bytes : {std::string(), std::string("hello"), std::string(64, '\0'),
                                     "\x7f"
                                     "ELF\x02\x01" +
                                         std::string(58, '\xff')})
        EXPECT_FALSE(read_cubin(bytes, "k", 90, "test").ok());
}

TEST(Cubin, MachineCodeFromBeforeVoltaIsRefused) {
    const auto kernel = read_cubin("", "k", 61, "test");
    ASSERT_FALSE(kernel.ok());
    EXPECT_EQ(kernel.error().kind, ErrorKind::bad_input);
}

// ptxas is hidden from the tests so that their answers do not depend on it; this one looks where it usually is.
TEST(Assemble, AKernelsInstructionsKnowTheirLinesOfPtx) {
    const std::filesystem::path ptxas = "/usr/local/cuda/bin/ptxas";
    if (!std::filesystem::exists(ptxas)) GTEST_SKIP() << "ptxas is not installed";
    const std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                             ".visible .entry k(.param .u64 p)\n{\n"
                             ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
                             "ld.param.u64 %rd1, [p];\n"
                             "ld.global.u32 %r1, [%rd1];\n"   // line 9
                             "st.global.u32 [%rd1+4], %r1;\n" // line 10
                             "ret;\n}\n";
    const auto kernel = assemble(ptxas, text, "k", {80});
    ASSERT_TRUE(kernel.ok()) << to_text(kernel.error());
    EXPECT_GT(kernel->registers, 0u);
    EXPECT_EQ(kernel->stack_bytes, 0u);
    unsigned loads = 0;
    unsigned stores = 0;
    for (const Instruction& instruction : kernel->instructions) {
        if (instruction.space != Space::global) continue;
        if (instruction.access == Access::load) {
            ++loads;
            EXPECT_EQ(instruction.ptx_line, 9u);
        }
        if (instruction.access == Access::store) {
            ++stores;
            EXPECT_EQ(instruction.ptx_line, 10u);
        }
    }
    EXPECT_EQ(loads, 1u);
    EXPECT_EQ(stores, 1u);
    const auto none = assemble(ptxas, text, "other", {80});
    EXPECT_FALSE(none.ok());
    EXPECT_EQ(assemble(ptxas, "no ptx", "k", {80}).error().kind, ErrorKind::unavailable);
}

} // namespace
} // namespace apod::sass
