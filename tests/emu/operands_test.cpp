// Instructions with an operand too few, too many or of another kind are refused or run: none of them makes the emulator itself fail.
// Fuzzing found some that did; here every form that nvcc was seen to emit is tried.
#include "tests/emu/kernel_run.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace apod::emu::testing {
namespace {

using Operands = std::vector<std::string>;

struct Line {
    std::string opcode;
    Operands operands;
};

// "add.s32 %r1, %r2, %r3;": commas within brackets and braces separate nothing.
Line split(const std::string& text) {
    Line line;
    std::size_t at = text.find_first_not_of('\t');
    const std::size_t end = text.find_first_of(" \t;", at);
    line.opcode = text.substr(at, end - at);
    int depth = 0;
    std::string operand;
    for (at = end; at < text.size() && text[at] != ';'; ++at) {
        const char c = text[at];
        if (c == '[' || c == '{' || c == '(') ++depth;
        if (c == ']' || c == '}' || c == ')') --depth;
        if (c == ',' && depth == 0) {
            line.operands.push_back(operand);
            operand.clear();
        } else if (c != '\t' && (c != ' ' || !operand.empty())) {
            operand += c;
        }
    }
    if (!operand.empty()) line.operands.push_back(operand);
    return line;
}

std::vector<Operands> variants_of(const Operands& operands) {
    std::vector<Operands> list{{}};
    for (std::size_t i = 0; i < operands.size(); ++i) {
        Operands fewer = operands;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        list.push_back(fewer);
        for (const char* other : {"_", "{}", "%r1", "[%d1]", "{%r1, %r2}"}) {
            list.push_back(operands);
            list.back()[i] = other;
        }
    }
    list.push_back(operands);
    list.back().emplace_back("%r1");
    return list;
}

std::string kernel_of(const Line& line, const Operands& operands) {
    std::string text =
        ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .align 16 .b8 p_in[32])\n{\n"
        ".reg .pred %p<8>;\n.reg .b16 %h<24>;\n.reg .b32 %r<64>;\n.reg .b64 %d<24>;\n.reg .f32 %f<24>;\n.reg .f64 %g<24>;\n" +
        line.opcode + " ";
    for (std::size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? "" : ", ") + operands[i];
    return text + ";\nret;\n}\n";
}

TEST(EmulatorOperands, WhateverStandsWhereAnOperandShouldIsRefusedOrRuns) {
    if (on_hardware()) GTEST_SKIP() << "this is about the emulator";
    std::ifstream file(APOD_SOURCE_DIR "/tests/data/ptx/forms.ptx");
    std::size_t refused = 0;
    std::size_t ran = 0;
    for (std::string text; std::getline(file, text);) {
        if (!text.starts_with("\t") || text.size() < 3 || text[1] < 'a' || text[1] > 'z') continue;
        const Line line = split(text);
        for (const Operands& operands : variants_of(line.operands)) {
            KernelRun run{kernel_of(line, operands), 1, 32, {}, std::vector<std::uint32_t>(8)};
            ++(run_kernel(run).empty() ? ran : refused);
        }
    }
    EXPECT_GT(refused, 4000u);
    EXPECT_GT(ran, 200u);
}

} // namespace
} // namespace apod::emu::testing
