// shfl, vote, match, redux, elect, bar.warp.sync. Op::b of vote, match, redux and bar.warp.sync's Op::a is the member mask; shfl's
// member mask is the last entry at Op::imm in Code::extra. The warp loop waits for the members before it calls the handler.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

// d or d|p.
Result<void> lower_destination(Lowering& lowering, const ptx::Instruction& instruction, Type type, Op& op) {
    const Operand& operand = instruction.operands[0];
    const bool pair = operand.kind == OperandKind::pair && operand.children.size() == 2;
    const Operand& value = pair ? operand.children[0] : operand;
    if (type == Type::pred) {
        auto ref = predicate_destination(lowering, instruction, value);
        if (!ref) return ref.error();
        op.dst = *ref;
        return {};
    }
    auto ref = destination(lowering, instruction, value, type);
    if (!ref) return ref.error();
    op.dst = *ref;
    if (!pair) return {};
    auto second = predicate_destination(lowering, instruction, operand.children[1]);
    if (!second) return second.error();
    op.extra = *second;
    op.flags |= flag_second_result;
    return {};
}

Result<void> lower_members(Lowering& lowering, const ptx::Instruction& instruction, const Operand& operand, Op& op) {
    auto members = source(lowering, instruction, operand, Type::b32);
    if (!members) return members.error();
    op.imm = static_cast<std::int64_t>(lowering.code.extra.size());
    lowering.code.extra.push_back(*members);
    return {};
}

Result<bool> lower_shuffle(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const std::string mode(instruction.modifiers.size() > 1 ? instruction.modifiers[1] : "?");
    const Form* form = form_table().find(fmt::format("shfl.{}.b32", mode));
    if (!instruction.has("sync") || form == nullptr || instruction.operands.size() != 5 || instruction.modifiers.size() != 3 ||
        instruction.modifiers[2] != "b32")
        return cannot_run(lowering, instruction, "only the .sync forms with a member mask exist on these devices");
    use_form(lowered, *form);
    if (auto done = lower_destination(lowering, instruction, Type::b32, lowered.op); !done) return done.error();
    OperandRef* const into[] = {&lowered.op.a, &lowered.op.b, &lowered.op.c};
    for (std::size_t i = 0; i < 3; ++i) {
        auto ref = source(lowering, instruction, instruction.operands[1 + i], Type::b32);
        if (!ref) return ref.error();
        *into[i] = *ref;
    }
    if (auto done = lower_members(lowering, instruction, instruction.operands[4], lowered.op); !done) return done.error();
    return true;
}

// vote.sync.OP.pred|b32, match.sync? (PTX spells match.any.sync.b32), redux.sync.OP.TYPE: destination, source, members.
Result<bool> lower_collective(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    std::string name(instruction.opcode);
    for (const std::string_view modifier : instruction.modifiers)
        if (modifier != "sync") name += "." + std::string(modifier);
    const Form* form = form_table().find(name);
    if (!instruction.has("sync") || form == nullptr || instruction.operands.size() != 3) return cannot_run(lowering, instruction);
    use_form(lowered, *form);
    if (auto done = lower_destination(lowering, instruction, form->dst, lowered.op); !done) return done.error();
    if (form->a == Type::pred) {
        auto ref = predicate_source(lowering, instruction, instruction.operands[1]);
        if (!ref) return ref.error();
        lowered.op.a = *ref;
    } else {
        auto ref = source(lowering, instruction, instruction.operands[1], form->a);
        if (!ref) return ref.error();
        lowered.op.a = *ref;
    }
    if (auto done = lower_members(lowering, instruction, instruction.operands[2], lowered.op); !done) return done.error();
    lowered.op.b = lowering.code.extra.back();
    return true;
}

// elect.sync d|p, members.
Result<bool> lower_elect(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.modifiers.size() != 1 || !instruction.has("sync")) return cannot_run(lowering, instruction);
    if (instruction.operands.size() != 2 || instruction.operands[0].kind != OperandKind::pair)
        return malformed(lowering, instruction, "it writes d|p and takes a member mask");
    use_form(lowered, *form_table().find("elect"));
    const std::vector<Operand>& results = instruction.operands[0].children;
    auto dst = destination_or_sink(lowering, instruction, results[0], Type::b32);
    if (!dst) return dst.error();
    if (*dst == sink_ref)
        lowered.op.flags |= flag_no_result;
    else
        lowered.op.dst = *dst;
    auto p = predicate_destination(lowering, instruction, results[1]);
    if (!p) return p.error();
    lowered.op.extra = *p;
    if (auto done = lower_members(lowering, instruction, instruction.operands[1], lowered.op); !done) return done.error();
    return true;
}

} // namespace

Result<bool> lower_warp(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.opcode == "shfl") return lower_shuffle(lowering, instruction, lowered);
    if (instruction.opcode == "vote" || instruction.opcode == "match" || instruction.opcode == "redux")
        return lower_collective(lowering, instruction, lowered);
    if (instruction.opcode == "elect") return lower_elect(lowering, instruction, lowered);
    if (instruction.opcode == "bar" && instruction.has("warp")) {
        if (const auto unknown = unknown_modifier(instruction, {"warp", "sync"}); !unknown.empty() || !instruction.has("sync"))
            return cannot_run(lowering, instruction);
        if (instruction.operands.size() != 1) return malformed(lowering, instruction, "a member mask is needed");
        use_form(lowered, *form_table().find("bar.warp.sync"));
        if (auto done = lower_members(lowering, instruction, instruction.operands[0], lowered.op); !done) return done.error();
        return true;
    }
    return false;
}

} // namespace apod::emu
