// vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad, vset.
#include "emu/lower/lowering.hpp"
#include "emu/scalar_video_spec.hpp"

#include <algorithm>
#include <optional>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

constexpr std::string_view opcodes[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vmad", "vset"};
constexpr std::string_view comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};

std::optional<VideoPart> part_of(std::string_view selector) {
    constexpr std::string_view names[] = {"", "b0", "b1", "b2", "b3", "h0", "h1"};
    const auto found = std::find(std::begin(names), std::end(names), selector);
    return found != std::end(names) ? std::optional(static_cast<VideoPart>(found - std::begin(names))) : std::nullopt;
}

bool read_type(std::string_view modifier, bool& is_signed) {
    is_signed = modifier == "s32";
    return modifier == "s32" || modifier == "u32";
}

bool is_shift(ScalarVideo operation) { return operation == ScalarVideo::shl || operation == ScalarVideo::shr; }

// One modifier behind the types; false: it is not known here.
bool read_modifier(std::string_view modifier, ScalarVideoSpec& spec) {
    const bool mad = spec.operation == ScalarVideo::mad;
    if (modifier == "sat" && spec.operation != ScalarVideo::set) return spec.saturate = true;
    if (is_shift(spec.operation) && (modifier == "clamp" || modifier == "wrap")) {
        spec.wrap = modifier == "wrap";
        return true;
    }
    if (mad && (modifier == "shr7" || modifier == "shr15")) {
        spec.shift = modifier == "shr7" ? 7 : 15;
        return true;
    }
    if (mad && modifier == "po") return spec.plus_one = true;
    constexpr std::string_view seconds[] = {"add", "min", "max"};
    const auto second = std::find(std::begin(seconds), std::end(seconds), modifier);
    if (mad || second == std::end(seconds) || spec.second != VideoSecond::none) return false;
    spec.second = static_cast<VideoSecond>(1 + (second - std::begin(seconds)));
    return true;
}

// dtype.atype.btype and what follows; of vset: atype.btype.cmp.
bool read_modifiers(const ptx::Instruction& instruction, ScalarVideoSpec& spec) {
    const auto& m = instruction.modifiers;
    const bool comparing = spec.operation == ScalarVideo::set;
    if (m.size() < 3) return false;
    std::size_t at = 0;
    if (!comparing && !read_type(m[at++], spec.signed_d)) return false;
    if (!read_type(m[at++], spec.signed_a) || !read_type(m[at++], spec.signed_b)) return false;
    if (is_shift(spec.operation) && (spec.signed_b || (!instruction.has("clamp") && !instruction.has("wrap")))) return false;
    if (comparing) {
        if (at == m.size()) return false;
        const auto found = std::find(std::begin(comparisons), std::end(comparisons), m[at++]);
        if (found == std::end(comparisons)) return false;
        spec.comparison = static_cast<std::uint8_t>(found - std::begin(comparisons));
    }
    return std::all_of(m.begin() + static_cast<std::ptrdiff_t>(at), m.end(),
                       [&](std::string_view modifier) { return read_modifier(modifier, spec); });
}

Operand plain(Operand operand) {
    operand.name = operand.kind == OperandKind::reg ? std::string_view{} : operand.name;
    operand.negated = false;
    return operand;
}
std::string_view selector_of(const Operand& operand) { return operand.kind == OperandKind::reg ? operand.name : std::string_view{}; }

Result<void> read_parts(const Lowering& lowering, const ptx::Instruction& instruction, ScalarVideoSpec& spec) {
    const auto& operands = instruction.operands;
    VideoPart* const into[] = {&spec.d, &spec.a, &spec.b};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto part = part_of(selector_of(operands[i]));
        if (!part) return malformed(lowering, instruction, "a selector is .b0 to .b3, .h0 or .h1");
        *into[i] = *part;
    }
    const bool mad = spec.operation == ScalarVideo::mad;
    const bool negates = operands[1].negated || operands[2].negated || (operands.size() > 3 && operands[3].negated);
    if (negates && (!mad || spec.plus_one)) return malformed(lowering, instruction, "only vmad without .po takes minus signs");
    spec.negated_product = operands[1].negated != operands[2].negated;
    spec.negated_c = operands.size() > 3 && operands[3].negated;
    if (spec.negated_product && spec.negated_c) return malformed(lowering, instruction, "the product or c can be negated, not both");
    const bool merges = spec.d != VideoPart::whole;
    if (merges && (mad || spec.second != VideoSecond::none)) return malformed(lowering, instruction, "the result has no selector here");
    const std::size_t wanted = mad || merges || spec.second != VideoSecond::none ? 4 : 3;
    if (operands.size() != wanted) return malformed(lowering, instruction, "an operand too many or too few");
    return {};
}

} // namespace

Result<bool> lower_scalar_video(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const auto found = std::find(std::begin(opcodes), std::end(opcodes), instruction.opcode);
    if (found == std::end(opcodes)) return false;
    ScalarVideoSpec spec;
    spec.operation = static_cast<ScalarVideo>(found - std::begin(opcodes));
    if (!read_modifiers(instruction, spec)) return cannot_run(lowering, instruction);
    const auto& operands = instruction.operands;
    if (operands.size() < 3) return malformed(lowering, instruction, "operands are missing");
    if (auto done = read_parts(lowering, instruction, spec); !done) return done.error();
    use_form(lowered, *form_table().find("scalar_video"));
    auto dst = destination(lowering, instruction, plain(operands[0]), Type::b32);
    if (!dst) return dst.error();
    lowered.op.dst = *dst;
    lowered.op.c = lowering.pool.constant32(0);
    OperandRef* const into[] = {&lowered.op.a, &lowered.op.b, &lowered.op.c};
    for (std::size_t i = 1; i < operands.size(); ++i) {
        auto ref = source(lowering, instruction, plain(operands[i]), Type::b32);
        if (!ref) return ref.error();
        *into[i - 1] = *ref;
    }
    lowered.op.imm = spec.packed();
    return true;
}

} // namespace apod::emu
