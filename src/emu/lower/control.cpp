// Terminators: branches, exits, block barriers.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::emu {

namespace {

using ptx::OperandKind;
using ptx::Type;

void nothing(WarpContext&, const Op&, std::uint32_t) {}

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

BarrierKind barrier_kind(const ptx::Instruction& instruction) {
    if (instruction.has("arrive")) return barrier_arrive;
    if (!instruction.has("red")) return barrier_sync;
    return instruction.has("popc") ? barrier_popc : instruction.has("and") ? barrier_and : barrier_or;
}

// The destination and the predicate of bar.red.
Result<void> lower_reduction(Lowering& lowering, const ptx::Instruction& instruction, BarrierKind kind, Op& op) {
    const ptx::Operand& to = instruction.operands.front();
    auto dst = kind == barrier_popc ? destination(lowering, instruction, to, Type::b32) : predicate_destination(lowering, instruction, to);
    if (!dst) return dst.error();
    auto predicate = predicate_source(lowering, instruction, instruction.operands.back());
    if (!predicate) return predicate.error();
    op.dst = *dst;
    op.c = *predicate;
    return {};
}

// bar{.cta}.sync a{, b}; barrier{.cta}.sync{.aligned} a{, b}; arrive likewise with b; bar{.cta}.red.OP.TYPE d, a{, b}, {!}c. Op::a is the
// barrier, Op::b the thread count (sink_ref: the whole block), Op::imm a BarrierKind.
Result<bool> lower_barrier(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, CodeBlock& block) {
    if (const auto unknown = unknown_modifier(instruction, {"cta", "sync", "arrive", "red", "popc", "and", "or", "u32", "pred", "aligned"});
        !unknown.empty())
        return cannot_run_modifier(lowering, instruction, unknown);
    const BarrierKind kind = barrier_kind(instruction);
    const bool reduces = instruction.has("red");
    if (kind == barrier_sync && !instruction.has("sync")) return cannot_run(lowering, instruction);
    const std::size_t first = reduces ? 1 : 0;
    const std::size_t count = instruction.operands.size() - std::min<std::size_t>(instruction.operands.size(), reduces ? 2 : 0);
    if (count < 1 || count > 2 || (kind == barrier_arrive && count != 2))
        return malformed(lowering, instruction, "a barrier number and perhaps a thread count are needed");
    set_control(lowered, OpClass::barrier);
    if (reduces)
        if (auto done = lower_reduction(lowering, instruction, kind, lowered.op); !done) return done.error();
    auto number = source(lowering, instruction, instruction.operands[first], Type::b32);
    if (!number) return number.error();
    lowered.op.a = *number;
    lowered.op.b = sink_ref;
    if (count == 2) {
        auto threads = source(lowering, instruction, instruction.operands[first + 1], Type::b32);
        if (!threads) return threads.error();
        lowered.op.b = *threads;
    }
    lowered.op.imm = kind;
    block.terminator = Terminator::barrier;
    return true;
}

// barrier.cluster.wait{.acquire}{.aligned};
Result<bool> lower_cluster_wait(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, CodeBlock& block) {
    if (const auto unknown = unknown_modifier(instruction, {"cluster", "wait", "acquire", "aligned"}); !unknown.empty())
        return cannot_run_modifier(lowering, instruction, unknown);
    if (!instruction.operands.empty()) return malformed(lowering, instruction, "it takes no operands");
    set_control(lowered, OpClass::barrier);
    block.terminator = Terminator::cluster_wait;
    return true;
}

} // namespace

void set_control(LoweredOp& lowered, OpClass op_class) {
    lowered.op.full = lowered.op.masked = lowered.op.body = nothing;
    lowered.info.op_class = op_class;
}

Result<bool> lower_control(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, CodeBlock& block) {
    const std::string_view opcode = instruction.opcode;
    if (opcode == "bra") return lower_branch(lowering, instruction, lowered, block);
    if (opcode == "brx") return lower_indexed_branch(lowering, instruction, lowered, block);
    if (opcode == "call") return lower_call(lowering, instruction, lowered, block);
    if (opcode == "ret" || opcode == "exit") {
        set_control(lowered, OpClass::exit);
        block.terminator = opcode == "exit" || lowering.function.is_entry ? Terminator::exit : Terminator::ret;
        return true;
    }
    if (opcode == "trap" || opcode == "brkpt") {
        set_control(lowered, OpClass::exit);
        block.terminator = Terminator::trap;
        return true;
    }
    if (opcode == "barrier" && instruction.has("cluster"))
        return instruction.has("wait") ? lower_cluster_wait(lowering, instruction, lowered, block) : Result<bool>(false);
    if ((opcode == "bar" && !instruction.has("warp")) || opcode == "barrier") return lower_barrier(lowering, instruction, lowered, block);
    return false;
}

} // namespace apod::emu
