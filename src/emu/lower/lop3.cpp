// lop3.BoolOp.b32 d|p, a, b, c, table, q: beside the result, p = (d != 0) BoolOp q. Op::imm holds the table in its low byte, the
// operation in the next and the reference of q in its upper half; Op::extra is p's slot. The form without BoolOp is a simple one.
#include "emu/lower/lowering.hpp"

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

Result<void> lower_results(Lowering& lowering, const ptx::Instruction& instruction, const Operand& pair, Op& op) {
    if (pair.kind != OperandKind::pair || pair.children.size() != 2) return malformed(lowering, instruction, "it writes d|p");
    auto dst = destination_or_sink(lowering, instruction, pair.children[0], Type::b32);
    if (!dst) return dst.error();
    if (*dst == sink_ref)
        op.flags |= flag_no_result;
    else
        op.dst = *dst;
    auto p = predicate_destination(lowering, instruction, pair.children[1]);
    if (!p) return p.error();
    op.extra = *p;
    return {};
}

} // namespace

Result<bool> lower_lop3(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.modifiers.size() != 2) return false;
    const std::string_view how = instruction.modifiers[0];
    if ((how != "or" && how != "and") || instruction.modifiers[1] != "b32") return cannot_run(lowering, instruction);
    if (instruction.operands.size() != 6) return malformed(lowering, instruction, "it has six operands");
    use_form(lowered, *form_table().find("lop3.bool.b32"));
    if (auto done = lower_results(lowering, instruction, instruction.operands[0], lowered.op); !done) return done.error();
    OperandRef* const into[] = {&lowered.op.a, &lowered.op.b, &lowered.op.c};
    for (std::size_t i = 0; i < 3; ++i) {
        auto ref = source(lowering, instruction, instruction.operands[1 + i], Type::b32);
        if (!ref) return ref.error();
        *into[i] = *ref;
    }
    auto table = immediate(lowering, instruction, instruction.operands[4]);
    if (!table) return table.error();
    auto q = predicate_source(lowering, instruction, instruction.operands[5]);
    if (!q) return q.error();
    lowered.op.imm = static_cast<std::int64_t>(std::uint64_t{*q} << 32) | (*table & 0xff) | (how == "and" ? 0x100 : 0x200);
    return true;
}

} // namespace apod::emu
