// Instructions that one entry of the form table describes: destination, up to three sources.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

// setp's p|q, and lop3's and shfl's second results.
Result<void> lower_predicate_result(Lowering& lowering, const ptx::Instruction& instruction, const Operand& operand, Op& op) {
    const bool pair = operand.kind == OperandKind::pair && operand.children.size() == 2;
    auto first = predicate_destination(lowering, instruction, pair ? operand.children[0] : operand);
    if (!first) return first.error();
    op.dst = *first;
    if (!pair) return {};
    auto second = predicate_destination(lowering, instruction, operand.children[1]);
    if (!second) return second.error();
    op.extra = *second;
    op.flags |= flag_second_result;
    return {};
}

Result<void> lower_source(Lowering& lowering, const ptx::Instruction& instruction, const Operand& operand, Type type, OperandRef& into) {
    if (type == Type::pred) {
        auto ref = predicate_source(lowering, instruction, operand);
        if (!ref) return ref.error();
        into = *ref;
        return {};
    }
    auto ref = source(lowering, instruction, operand, type);
    if (!ref) return ref.error();
    into = *ref;
    return {};
}

int combination(const ptx::Instruction& instruction) {
    return instruction.has("and") ? 1 : instruction.has("or") ? 2 : instruction.has("xor") ? 3 : 0;
}

// What follows the sources that the form names: setp's combining predicate, bfi's length, lop3's table, prmt's nothing.
Result<void> lower_rest(Lowering& lowering, const ptx::Instruction& instruction, std::size_t at, Op& op) {
    if (instruction.opcode == "setp") {
        op.imm = combination(instruction);
        if (op.imm == 0) return {};
        if (at >= instruction.operands.size()) return malformed(lowering, instruction, "the predicate to combine with is missing");
        return lower_source(lowering, instruction, instruction.operands[at], Type::pred, op.c);
    }
    if (instruction.opcode == "bfi") {
        OperandRef length = 0;
        if (at >= instruction.operands.size()) return malformed(lowering, instruction, "the field's length is missing");
        if (auto done = lower_source(lowering, instruction, instruction.operands[at], Type::u32, length); !done) return done;
        op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
        lowering.code.extra.push_back(length);
    }
    if (instruction.opcode == "lop3") {
        if (at >= instruction.operands.size()) return malformed(lowering, instruction, "the truth table is missing");
        auto table = immediate(lowering, instruction, instruction.operands[at]);
        if (!table) return table.error();
        op.imm = *table;
    }
    return {};
}

std::size_t operand_count(const ptx::Instruction& instruction, const Form& form) {
    std::size_t count = form.dst != Type::none ? 1 : 0;
    for (const Type type : {form.a, form.b, form.c}) count += type != Type::none ? 1 : 0;
    if (instruction.opcode == "setp" && combination(instruction) != 0) ++count;
    if (instruction.opcode == "bfi" || instruction.opcode == "lop3") ++count;
    return count;
}

} // namespace

Result<void> lower_simple(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const Form* form = form_table().find(canonical_form(instruction));
    if (form == nullptr) return cannot_run(lowering, instruction);
    use_form(lowered, *form);
    const std::size_t wanted = operand_count(instruction, *form);
    if (instruction.operands.size() != wanted)
        return malformed(lowering, instruction, fmt::format("it has {} operands, {} are needed", instruction.operands.size(), wanted));
    std::size_t at = 0;
    if (form->dst == Type::pred) {
        if (auto done = lower_predicate_result(lowering, instruction, instruction.operands[at++], lowered.op); !done) return done;
    } else if (form->dst != Type::none) {
        auto ref = destination(lowering, instruction, instruction.operands[at++], form->dst);
        if (!ref) return ref.error();
        lowered.op.dst = *ref;
    }
    OperandRef* const into[] = {&lowered.op.a, &lowered.op.b, &lowered.op.c};
    const Type types[] = {form->a, form->b, form->c};
    for (int i = 0; i < 3; ++i) {
        if (types[i] == Type::none) continue;
        if (auto done = lower_source(lowering, instruction, instruction.operands[at++], types[i], *into[i]); !done) return done;
    }
    return lower_rest(lowering, instruction, at, lowered.op);
}

} // namespace apod::emu
