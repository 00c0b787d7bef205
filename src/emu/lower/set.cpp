// set: the comparison's form is named without the destination's type, which only says what true is written as.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

#include <optional>

namespace apod::emu {

namespace {

using ptx::Type;

struct Parts {
    std::string form; // "set.lt.ftz.f32"
    std::int64_t combination = 0;
    Type to = Type::none;
    Type from = Type::none;
};

// CmpOp, perhaps BoolOp, perhaps ftz, two types: in this order.
std::optional<Parts> read(const ptx::Instruction& instruction) {
    const auto& m = instruction.modifiers;
    Parts parts;
    std::size_t at = 0;
    if (m.size() < 3) return {};
    parts.form = fmt::format("set.{}", m[at++]);
    if (m[at] == "and" || m[at] == "or" || m[at] == "xor") {
        parts.combination = m[at] == "and" ? 1 : m[at] == "or" ? 2 : 3;
        ++at;
    }
    if (at < m.size() && m[at] == "ftz") {
        parts.form += ".ftz";
        ++at;
    }
    if (m.size() != at + 2) return {};
    const auto to = ptx::type_from_name(m[at]);
    const auto from = ptx::type_from_name(m[at + 1]);
    if (!to || !from) return {};
    parts.to = *to;
    parts.from = *from;
    parts.form += fmt::format(".{}", m[at + 1]);
    return parts;
}

// What true is in the destination; nothing where PTX has no such destination.
std::optional<std::uint32_t> truth(Type to, Type from) {
    const bool pair = from == Type::f16x2 || from == Type::bf16x2;
    const bool half = from == Type::f16 || from == Type::bf16;
    switch (to) {
    case Type::u32:
    case Type::s32: return 0xffffffffu;
    case Type::f32: return half || pair ? std::nullopt : std::optional(0x3f800000u);
    case Type::u16:
    case Type::s16: return half ? std::optional(0xffffu) : std::nullopt;
    case Type::f16: return pair || from == Type::bf16 ? std::nullopt : std::optional(0x3c00u);
    case Type::bf16: return pair || from == Type::f16 ? std::nullopt : std::optional(0x3f80u);
    case Type::f16x2: return from == Type::f16x2 ? std::optional(0x3c003c00u) : std::nullopt;
    case Type::bf16x2: return from == Type::bf16x2 ? std::optional(0x3f803f80u) : std::nullopt;
    default: return std::nullopt;
    }
}

} // namespace

Result<bool> lower_set(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const auto parts = read(instruction);
    const Form* form = parts ? form_table().find(parts->form) : nullptr;
    const auto value = parts ? truth(parts->to, parts->from) : std::nullopt;
    if (form == nullptr || !value) return cannot_run(lowering, instruction);
    const std::size_t wanted = parts->combination != 0 ? 4 : 3;
    if (instruction.operands.size() != wanted) return malformed(lowering, instruction, fmt::format("{} operands are needed", wanted));
    use_form(lowered, *form);
    auto dst = destination(lowering, instruction, instruction.operands[0], parts->to);
    if (!dst) return dst.error();
    auto a = source(lowering, instruction, instruction.operands[1], form->a);
    if (!a) return a.error();
    auto b = source(lowering, instruction, instruction.operands[2], form->b);
    if (!b) return b.error();
    lowered.op.dst = *dst;
    lowered.op.a = *a;
    lowered.op.b = *b;
    lowered.op.imm = static_cast<std::int64_t>(std::uint64_t{*value} << 32) | parts->combination;
    if (parts->combination == 0) return true;
    auto c = predicate_source(lowering, instruction, instruction.operands[3]);
    if (!c) return c.error();
    lowered.op.c = *c;
    return true;
}

} // namespace apod::emu
