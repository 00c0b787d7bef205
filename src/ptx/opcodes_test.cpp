#include "ptx/opcodes.hpp"

#include "ptx/fixture_test.hpp"
#include "ptx/special_registers.hpp"

#include <gtest/gtest.h>

namespace apod::ptx {
namespace {

TEST(Opcodes, names_of_the_instruction_set_are_known_and_others_are_not) {
    for (const auto* name : {"abs", "xor", "wgmma", "tcgen05", "mad24", "vabsdiff4", "clusterlaunchcontrol", "stackrestore"}) {
        EXPECT_TRUE(is_opcode(name)) << name;
    }
    for (const auto* name : {"", "foo", "ADD", "add.s32", "ld_"}) EXPECT_FALSE(is_opcode(name)) << name;
}

TEST(Opcodes, a_slip_is_answered_with_the_nearest_name) {
    EXPECT_EQ(nearest_opcode("setpp"), "setp");
    EXPECT_EQ(nearest_opcode("nanoslep"), "nanosleep");
    EXPECT_FALSE(nearest_opcode(std::string(1000, 'x')));
}

TEST(Opcodes, an_unknown_instruction_is_refused_with_its_place_and_the_nearest_name) {
    const auto result = parse(std::string{testing::header} + testing::kernel("  fmaa.rn.f32 %f1, %f2, %f3, %f4; ret;"), "test.ptx");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::bad_input);
    EXPECT_EQ(result.error().where.file, "test.ptx");
    EXPECT_EQ(result.error().where.line, 5u);
    EXPECT_EQ(result.error().where.column, 3u);
    EXPECT_EQ(result.error().message, "unknown instruction 'fmaa'");
    EXPECT_EQ(result.error().hint, "did you mean 'fma'?");
}

TEST(SpecialRegisters, the_numbered_ones_are_known_within_their_range) {
    for (const auto* name : {"tid", "laneid", "lanemask_lt", "clock64", "envreg0", "envreg31", "pm7", "pm0_64", "globaltimer"}) {
        EXPECT_TRUE(is_special_register(name)) << name;
    }
    for (const auto* name : {"", "envreg32", "envreg01", "envreg", "pm8", "pm8_64", "tidx", "r1"}) {
        EXPECT_FALSE(is_special_register(name)) << name;
    }
}

} // namespace
} // namespace apod::ptx
