// What lies in the frame of the running function: its address, and alloca.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

#include <bit>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::SymbolKind;
using ptx::Type;

const ptx::Variable* frame_variable(const Lowering& lowering, const Operand& operand) {
    if (operand.kind != OperandKind::symbol) return nullptr;
    const ptx::Function& function = lowering.function;
    if (operand.symbol == SymbolKind::function_variable) return &function.variables[operand.index];
    if (function.is_entry) return nullptr; // parameters of a kernel lie in the launch's parameter block
    if (operand.symbol == SymbolKind::parameter) return &function.parameters[operand.index];
    if (operand.symbol == SymbolKind::return_parameter) return &function.returns[operand.index];
    return nullptr;
}

// mov of a variable's address: the frame's plus an offset.
Result<bool> lower_address(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const Operand& from = instruction.operands[1];
    const auto offset = frame_offset(lowering, from);
    if (!offset || lowering.function.is_entry) return false;
    if (ptx::type_bits(last_type(instruction)) != 64) return cannot_run(lowering, instruction, "addresses have 64 bits");
    use_form(lowered, *form_table().find("add.s64"));
    auto dst = destination(lowering, instruction, instruction.operands[0], Type::b64);
    if (!dst) return dst.error();
    lowered.info.op_class = OpClass::move;
    lowered.op.dst = *dst;
    lowered.op.a = frame_base(lowering);
    lowered.op.b = lowering.pool.constant64(*offset + static_cast<std::uint64_t>(from.integer));
    return true;
}

// alloca.TYPE d, size{, align}; stacksave.TYPE d; stackrestore.TYPE a.
Result<bool> lower_stack(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const Type type = last_type(instruction);
    const Form* form = form_table().find(fmt::format("{}.{}", instruction.opcode, ptx::type_name(type)));
    if (form == nullptr || instruction.modifiers.size() != 1) return cannot_run(lowering, instruction);
    const bool allocates = instruction.opcode == "alloca";
    const std::size_t count = instruction.operands.size();
    if (allocates ? count != 2 && count != 3 : count != 1) return malformed(lowering, instruction, "operands are missing");
    use_form(lowered, *form);
    lowering.code.uses_stack = true;
    if (form->dst != Type::none) {
        auto dst = destination(lowering, instruction, instruction.operands[0], type);
        if (!dst) return dst.error();
        lowered.op.dst = *dst;
    }
    if (form->a != Type::none) {
        auto a = source(lowering, instruction, instruction.operands[allocates ? 1 : 0], type);
        if (!a) return a.error();
        lowered.op.a = *a;
    }
    lowered.op.imm = 8;
    if (count != 3) return true;
    auto align = immediate(lowering, instruction, instruction.operands[2]);
    if (!align) return align.error();
    if (*align < 1 || *align > 128 || !std::has_single_bit(static_cast<std::uint64_t>(*align)))
        return malformed(lowering, instruction, "the alignment is a power of two up to 128");
    lowered.op.imm = *align;
    return true;
}

} // namespace

std::optional<std::uint64_t> frame_offset(const Lowering& lowering, const Operand& operand) {
    const ptx::Variable* variable = frame_variable(lowering, operand);
    if (variable == nullptr || (variable->space != ptx::Space::local && variable->space != ptx::Space::param)) return std::nullopt;
    const auto placed = lowering.layout.offset.find(variable);
    return placed != lowering.layout.offset.end() ? std::optional(placed->second) : std::nullopt;
}

OperandRef frame_base(Lowering& lowering) {
    return lowering.function.is_entry ? lowering.pool.constant64(0) : frame_base_ref | region_registers;
}

Result<bool> lower_frame(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    return instruction.opcode == "mov" ? lower_address(lowering, instruction, lowered) : lower_stack(lowering, instruction, lowered);
}

} // namespace apod::emu
