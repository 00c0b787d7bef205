// atom and red: one register, vectors of them, 128 bits.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

std::string_view atomic_operation(const ptx::Instruction& instruction) {
    for (const std::string_view name : {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"})
        if (instruction.has(name)) return name;
    return "?";
}

bool is_half(Type type) { return type == Type::f16 || type == Type::bf16 || type == Type::f16x2 || type == Type::bf16x2; }

// Elements of a vector operand into Code::extra; a missing result is a sink.
Result<void> lower_elements(Lowering& lowering, const ptx::Instruction& instruction, const Operand* operand, Type type, std::uint32_t count,
                            bool results) {
    if (operand != nullptr && (operand->kind != OperandKind::vector || operand->children.size() != count))
        return malformed(lowering, instruction, fmt::format("{} values in a vector are needed", count));
    for (std::uint32_t i = 0; i < count; ++i) {
        Result<OperandRef> ref = sink_ref;
        if (operand != nullptr)
            ref = results ? destination_or_sink(lowering, instruction, operand->children[i], type)
                          : source(lowering, instruction, operand->children[i], type);
        if (!ref) return ref.error();
        lowering.code.extra.push_back(*ref);
    }
    return {};
}

Result<bool> lower_vector(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, Type type, bool red) {
    const std::uint32_t count = vector_length(instruction);
    lowered.info.bytes = count * ptx::type_bits(type) / 8;
    if (lowered.info.bytes > 16) return cannot_run(lowering, instruction, "vectors of atomics have at most 16 bytes");
    lowered.op.count = static_cast<std::uint16_t>(count);
    lowered.op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    const std::size_t first = red ? 0 : 1;
    if (red) lowered.op.flags |= flag_no_result;
    if (auto done = lower_elements(lowering, instruction, red ? nullptr : &instruction.operands[0], type, count, true); !done)
        return done.error();
    if (auto done = lower_elements(lowering, instruction, &instruction.operands[first + 1], type, count, false); !done) return done.error();
    if (auto done = address(lowering, instruction, instruction.operands[first], lowered.op); !done) return done.error();
    return true;
}

} // namespace

Result<bool> lower_atomic(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, bool result_unused) {
    const bool red = instruction.opcode == "red";
    if (!red && instruction.opcode != "atom") return false;
    const Type type = last_type(instruction);
    const auto unknown = is_half(type) ? unknown_memory_modifier(instruction, {atomic_operation(instruction), "noftz"})
                                       : unknown_memory_modifier(instruction, {atomic_operation(instruction)});
    if (!unknown.empty()) return cannot_run_modifier(lowering, instruction, unknown);
    if (is_half(type) && !instruction.has("noftz")) return cannot_run(lowering, instruction, "atomics on halves are .noftz");
    const std::string_view space = memory_space(instruction);
    const bool vector = vector_length(instruction) != 1;
    const Form* form = form_table().find(
        fmt::format("{}.{}.{}.{}", vector ? "atomv" : "atom", space, atomic_operation(instruction), ptx::type_name(type)));
    if (form == nullptr || space.empty()) return cannot_run(lowering, instruction);
    use_form(lowered, *form);
    auto operands = operands_without_policy(lowering, instruction);
    if (!operands) return operands.error();
    const std::size_t first = red ? 0 : 1;
    if (*operands != first + 2 + (form->c != Type::none ? 1 : 0)) return malformed(lowering, instruction, "an operand too many or too few");
    if (vector) return lower_vector(lowering, instruction, lowered, type, red);
    lowered.info.bytes = ptx::type_bits(type) / 8;
    if (red || result_unused || instruction.operands[0].kind == OperandKind::sink) {
        lowered.op.flags |= flag_no_result;
    } else {
        auto dst = destination(lowering, instruction, instruction.operands[0], type);
        if (!dst) return dst.error();
        lowered.op.dst = *dst;
    }
    if (auto done = address(lowering, instruction, instruction.operands[first], lowered.op); !done) return done.error();
    auto b = source(lowering, instruction, instruction.operands[first + 1], type);
    if (!b) return b.error();
    lowered.op.b = lowered.op.c = *b;
    if (form->c == Type::none) return true;
    auto c = source(lowering, instruction, instruction.operands[first + 2], type);
    if (!c) return c.error();
    lowered.op.c = *c;
    return true;
}

} // namespace apod::emu
