// The packed video instructions: vadd2, vsub4, vavrg4, vabsdiff4, vset2 and their like (PTX ISA, "SIMD Video Instructions").
#include "emu/lower/lowering.hpp"
#include "emu/video_spec.hpp"

#include <algorithm>
#include <optional>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

constexpr std::string_view stems[] = {"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset"};
constexpr std::string_view comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};

// "vadd4": which operation on how many elements.
bool read_opcode(std::string_view opcode, VideoSpec& spec) {
    if (opcode.empty() || (opcode.back() != '2' && opcode.back() != '4')) return false;
    const auto found = std::find(std::begin(stems), std::end(stems), opcode.substr(0, opcode.size() - 1));
    if (found == std::end(stems)) return false;
    spec.operation = static_cast<VideoOperation>(found - std::begin(stems));
    spec.elements = opcode.back() == '2' ? 2 : 4;
    return true;
}

bool read_type(std::string_view modifier, bool& is_signed) {
    is_signed = modifier == "s32";
    return modifier == "s32" || modifier == "u32";
}

// dtype.atype.btype{.sat}{.add}; of vset: atype.btype.cmp{.add}
bool read_modifiers(const ptx::Instruction& instruction, VideoSpec& spec) {
    const auto& m = instruction.modifiers;
    std::size_t at = 0;
    const auto type = [&](bool& is_signed) { return at < m.size() && read_type(m[at++], is_signed); };
    const bool comparing = spec.operation == VideoOperation::set;
    if (!comparing && !type(spec.signed_result)) return false;
    if (!type(spec.signed_a) || !type(spec.signed_b)) return false;
    if (comparing) {
        if (at == m.size()) return false;
        const auto found = std::find(std::begin(comparisons), std::end(comparisons), m[at++]);
        if (found == std::end(comparisons)) return false;
        spec.comparison = static_cast<std::uint8_t>(found - std::begin(comparisons));
    }
    for (; at < m.size(); ++at) {
        if (m[at] == "sat" && !comparing && !spec.saturate && !spec.accumulate)
            spec.saturate = true;
        else if (m[at] == "add" && !spec.saturate && !spec.accumulate)
            spec.accumulate = true;
        else
            return false;
    }
    return true;
}

// ".b3210": the first digit is the highest element's. Empty text: elements 0 to n-1, or n to 2n-1 for b.
bool read_selector(std::string_view text, const VideoSpec& spec, unsigned first, std::uint16_t& selector) {
    const char letter = spec.elements == 4 ? 'b' : 'h';
    selector = 0;
    if (text.empty()) {
        for (unsigned i = 0; i < spec.elements; ++i) selector = static_cast<std::uint16_t>(selector | (first + i) << (4 * i));
        return true;
    }
    if (text[0] != letter || text.size() != std::size_t{1} + spec.elements) return false;
    for (unsigned i = 0; i < spec.elements; ++i) {
        const unsigned digit = static_cast<unsigned>(text[text.size() - 1 - i] - '0');
        if (digit >= 2 * spec.elements) return false;
        selector = static_cast<std::uint16_t>(selector | digit << (4 * i));
    }
    return true;
}

bool read_mask(std::string_view text, const VideoSpec& spec, std::uint8_t& mask) {
    mask = static_cast<std::uint8_t>((1u << spec.elements) - 1);
    if (text.empty()) return true;
    if (text[0] != (spec.elements == 4 ? 'b' : 'h')) return false;
    mask = 0;
    for (const char digit : text.substr(1)) {
        const unsigned element = static_cast<unsigned>(digit - '0');
        if (element >= spec.elements) return false;
        mask = static_cast<std::uint8_t>(mask | 1u << element);
    }
    return true;
}

Operand without_selector(Operand operand) {
    if (operand.kind == OperandKind::reg) operand.name = {};
    return operand;
}
std::string_view selector_of(const Operand& operand) { return operand.kind == OperandKind::reg ? operand.name : std::string_view{}; }

} // namespace

Result<bool> lower_video(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    VideoSpec spec;
    if (!read_opcode(instruction.opcode, spec)) return false;
    const auto& operands = instruction.operands;
    if (!read_modifiers(instruction, spec)) return cannot_run(lowering, instruction);
    if (operands.size() != 4) return malformed(lowering, instruction, "it has four operands");
    if (!read_mask(selector_of(operands[0]), spec, spec.mask) || !read_selector(selector_of(operands[1]), spec, 0, spec.select_a) ||
        !read_selector(selector_of(operands[2]), spec, spec.elements, spec.select_b))
        return malformed(lowering, instruction, "a selector names elements that are not there");
    use_form(lowered, *form_table().find("video"));
    auto dst = destination(lowering, instruction, without_selector(operands[0]), Type::b32);
    if (!dst) return dst.error();
    lowered.op.dst = *dst;
    OperandRef* const into[] = {&lowered.op.a, &lowered.op.b, &lowered.op.c};
    for (std::size_t i = 0; i < 3; ++i) {
        auto ref = source(lowering, instruction, without_selector(operands[1 + i]), Type::b32);
        if (!ref) return ref.error();
        *into[i] = *ref;
    }
    lowered.op.imm = spec.packed();
    return true;
}

} // namespace apod::emu
