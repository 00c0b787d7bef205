// Terminators: branches, exits, block barriers.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

namespace apod::emu {

namespace {

using ptx::OperandKind;
using ptx::Type;

void nothing(WarpContext&, const Op&, std::uint32_t) {}

void set_control(LoweredOp& lowered, OpClass op_class) {
    lowered.op.full = lowered.op.masked = lowered.op.body = nothing;
    lowered.info.op_class = op_class;
}

Result<bool> lower_branch(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, CodeBlock& block) {
    if (const auto unknown = unknown_modifier(instruction, {"uni"}); !unknown.empty())
        return cannot_run_modifier(lowering, instruction, unknown);
    if (instruction.operands.size() != 1 || instruction.operands[0].kind != OperandKind::label)
        return malformed(lowering, instruction, "a branch needs one label");
    set_control(lowered, OpClass::branch);
    block.terminator = Terminator::branch;
    return true;
}

Result<bool> lower_indexed_branch(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, CodeBlock& block) {
    if (instruction.operands.size() != 2) return malformed(lowering, instruction, "brx.idx needs an index and a list of targets");
    auto index = source(lowering, instruction, instruction.operands[0], Type::b32);
    if (!index) return index.error();
    set_control(lowered, OpClass::branch);
    lowered.op.a = *index;
    block.terminator = Terminator::indexed; // the driver adds the targets
    return true;
}

// bar{.cta}.sync a{, b}; barrier{.cta}.sync{.aligned} a{, b}; arrive likewise with b. Op::a is the barrier, Op::b the thread count
// (sink_ref: the whole block), Op::imm 1 for arrive.
Result<bool> lower_barrier(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, CodeBlock& block) {
    if (const auto unknown = unknown_modifier(instruction, {"cta", "sync", "arrive", "aligned"}); !unknown.empty())
        return cannot_run_modifier(lowering, instruction, unknown);
    const bool arrive = instruction.has("arrive");
    if (!arrive && !instruction.has("sync")) return cannot_run(lowering, instruction);
    if (instruction.operands.empty() || instruction.operands.size() > 2 || (arrive && instruction.operands.size() != 2))
        return malformed(lowering, instruction, "a barrier number and perhaps a thread count are needed");
    set_control(lowered, OpClass::barrier);
    auto number = source(lowering, instruction, instruction.operands[0], Type::b32);
    if (!number) return number.error();
    lowered.op.a = *number;
    lowered.op.b = sink_ref;
    if (instruction.operands.size() == 2) {
        auto count = source(lowering, instruction, instruction.operands[1], Type::b32);
        if (!count) return count.error();
        lowered.op.b = *count;
    }
    lowered.op.imm = arrive ? 1 : 0;
    block.terminator = Terminator::barrier;
    return true;
}

} // namespace

Result<bool> lower_control(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, CodeBlock& block) {
    const std::string_view opcode = instruction.opcode;
    if (opcode == "bra") return lower_branch(lowering, instruction, lowered, block);
    if (opcode == "brx") return lower_indexed_branch(lowering, instruction, lowered, block);
    if (opcode == "ret" || opcode == "exit") {
        set_control(lowered, OpClass::exit);
        block.terminator = Terminator::exit;
        return true;
    }
    if (opcode == "trap" || opcode == "brkpt") {
        set_control(lowered, OpClass::exit);
        block.terminator = Terminator::trap;
        return true;
    }
    if ((opcode == "bar" && !instruction.has("warp")) || opcode == "barrier") return lower_barrier(lowering, instruction, lowered, block);
    return false;
}

} // namespace apod::emu
