#include "emu/lower/lowering.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace apod::emu {

namespace {

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// mov, selp, slct, shl do the same for all types of one width.
std::string bits_spelling(std::string_view modifier) {
    const auto type = ptx::type_from_name(modifier);
    if (!type || *type == ptx::Type::pred) return std::string(modifier);
    const std::uint32_t bits = ptx::type_bits(*type);
    return bits >= 16 ? "b" + std::to_string(bits) : std::string(modifier);
}

bool nearest_is_default(std::string_view opcode) { return one_of(opcode, {"add", "sub", "mul", "fma", "mad", "div", "sqrt", "rcp"}); }

} // namespace

ptx::Type last_type(const ptx::Instruction& instruction) {
    for (auto m = instruction.modifiers.rbegin(); m != instruction.modifiers.rend(); ++m)
        if (const auto type = ptx::type_from_name(*m)) return *type;
    return ptx::Type::none;
}

std::string canonical_form(const ptx::Instruction& instruction) {
    const std::string_view opcode = instruction.opcode;
    const bool by_width = one_of(opcode, {"mov", "selp", "shl"});
    std::string name(opcode);
    // mad on floats is fma (PTX ISA, mad).
    if (opcode == "mad" && ptx::is_float(last_type(instruction))) name = "fma";
    if ((opcode == "min" || opcode == "max") && instruction.operands.size() == 4) name += "3"; // of three numbers
    // CUDA's headers write max.s16x2.relu where the manual has max.relu.s16x2; ptxas takes both.
    std::vector<std::string_view> modifiers(instruction.modifiers.begin(), instruction.modifiers.end());
    if (one_of(opcode, {"min", "max"}) && modifiers.size() > 1 && modifiers.back() == "relu")
        std::swap(modifiers.back(), modifiers.end()[-2]);
    for (std::size_t i = 0; i < modifiers.size(); ++i) {
        const std::string_view modifier = modifiers[i];
        if (modifier == "rn" && nearest_is_default(opcode)) continue;
        if (opcode == "setp" && one_of(modifier, {"and", "or", "xor"})) continue;
        if (opcode == "slct" && i + 1 < modifiers.size())
            name += "." + bits_spelling(modifier);
        else
            name += "." + (by_width ? bits_spelling(modifier) : std::string(modifier));
    }
    return name;
}

std::string_view element_name(ptx::Type type) {
    using ptx::Type;
    switch (type) {
    case Type::u8:
    case Type::b8: return "u8";
    case Type::s8: return "s8";
    case Type::u16:
    case Type::b16:
    case Type::f16:
    case Type::bf16: return "u16";
    case Type::s16: return "s16";
    case Type::u32:
    case Type::b32:
    case Type::f16x2:
    case Type::bf16x2:
    case Type::f32: return "u32";
    case Type::s32: return "s32";
    case Type::u64:
    case Type::b64:
    case Type::f64: return "u64";
    case Type::s64: return "s64";
    case Type::b128: return "b128";
    default: return {};
    }
}

} // namespace apod::emu
