// ld, ldu and st.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

bool is_wide_register(const Lowering& lowering, const Operand& operand) {
    return operand.kind == OperandKind::reg && slot_class(lowering.function.registers[operand.index].type) == SlotClass::wide;
}

// The registers that a load fills or a store takes its values from.
Result<void> lower_values(Lowering& lowering, const ptx::Instruction& instruction, const Operand& operand, Type type, bool load, Op& op) {
    const bool vector = operand.kind == OperandKind::vector;
    const std::uint32_t count = vector_length(instruction);
    if (vector != (count > 1) || (vector && operand.children.size() != count))
        return malformed(lowering, instruction, fmt::format("{} values are needed", count));
    if (vector && ptx::type_bits(type) == 128) return malformed(lowering, instruction, "there are no vectors of 128-bit values");
    op.count = static_cast<std::uint16_t>(count);
    const std::vector<Operand> one{operand};
    const std::vector<Operand>& values = vector ? operand.children : one;
    bool wide = false;
    for (const Operand& value : values) wide = wide || is_wide_register(lowering, value);
    const Type slot_type = ptx::type_bits(type) == 128          ? Type::b128
                           : wide || ptx::type_bits(type) == 64 ? Type::b64
                           : load                               ? Type::b32
                                                                : type;
    if (wide && ptx::type_bits(type) < 64) op.flags |= flag_wide_register;
    op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    for (const Operand& value : values) {
        auto ref = load ? destination_or_sink(lowering, instruction, value, slot_type) : source(lowering, instruction, value, slot_type);
        if (!ref) return ref.error();
        lowering.code.extra.push_back(*ref);
    }
    if (count == 1) (load ? op.dst : op.b) = lowering.code.extra.back();
    return {};
}

// A kernel parameter at a known place is a constant of the launch: a move from the pool.
Result<bool> lower_known_parameter(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, Type type) {
    const Operand& where = instruction.operands[1];
    if (where.kind != OperandKind::address || where.children.empty() || where.children[0].kind != OperandKind::symbol) return false;
    if (vector_length(instruction) != 1 || instruction.operands[0].kind != OperandKind::reg || ptx::type_bits(type) > 64) return false;
    auto start = symbol_address(lowering, instruction, where.children[0]);
    if (!start) return start.error();
    const std::uint64_t offset = *start + static_cast<std::uint64_t>(where.integer);
    const std::uint32_t bytes = ptx::type_bits(type) / 8;
    const std::uint64_t all = lowering.layout.parameter_bytes; // offsets may be negative, that is huge
    if (offset > all || all - offset < bytes) return malformed(lowering, instruction, "it reads past the kernel's parameters");
    const bool wide = is_wide_register(lowering, instruction.operands[0]);
    auto dst = destination(lowering, instruction, instruction.operands[0], wide ? Type::b64 : Type::b32);
    if (!dst) return dst.error();
    use_form(lowered, *form_table().find(wide ? "mov.b64" : "mov.b32"));
    lowered.info.op_class = OpClass::load_param;
    lowered.op.dst = *dst;
    lowered.op.a = lowering.pool.parameter(static_cast<std::uint32_t>(offset), bytes, ptx::is_signed_integer(type),
                                           wide ? slot64_bytes : slot32_bytes);
    return true;
}

// .param space of functions: what lies at a known place in the frame. An address that is computed (an element of an array passed by value)
// is one of local memory, that mov gave.
Result<bool> lower_frame_access(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, Type type, bool load) {
    const Operand& where = instruction.operands[load ? 1 : 0];
    if (where.kind != OperandKind::address || where.children.empty()) return false;
    const auto offset = frame_offset(lowering, where.children[0]);
    const bool computed = !lowering.function.is_entry && where.children[0].kind == OperandKind::reg;
    if (!offset && !computed) return false;
    std::string_view element = element_name(type);
    if (!load && element.starts_with('s')) element = element == "s8" ? "u8" : element == "s16" ? "u16" : element == "s32" ? "u32" : "u64";
    const Form* form = form_table().find(fmt::format("{}.{}.{}", load ? "ld" : "st", offset ? "frame" : "local", element));
    if (form == nullptr || element.empty()) return cannot_run(lowering, instruction);
    use_form(lowered, *form);
    lowered.info.op_class = OpClass::load_param;
    if (auto done = lower_values(lowering, instruction, instruction.operands[load ? 0 : 1], type, load, lowered.op); !done)
        return done.error();
    if (computed) {
        lowered.op.flags |= flag_quiet;
        if (auto done = address(lowering, instruction, where, lowered.op); !done) return done.error();
        return true;
    }
    const std::int64_t at = static_cast<std::int64_t>(*offset) + where.integer;
    if (at < 0 || at + lowered.info.bytes > lowering.layout.frames.at(&lowering.function).bytes)
        return malformed(lowering, instruction, "it reaches out of the function's parameters");
    lowered.op.imm = at;
    return true;
}

Result<bool> lower_load_store(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, bool load) {
    if (const auto unknown = unknown_memory_modifier(instruction, {}); !unknown.empty())
        return cannot_run_modifier(lowering, instruction, unknown);
    const Type type = last_type(instruction);
    const std::string_view space = memory_space(instruction);
    std::string_view element = element_name(type);
    if (!load && (element == "s8" || element == "s16" || element == "s32" || element == "s64"))
        element = element == "s8" ? "u8" : element == "s16" ? "u16" : element == "s32" ? "u32" : "u64";
    auto operands = operands_without_policy(lowering, instruction);
    if (!operands) return operands.error();
    if (*operands != 2) return cannot_run(lowering, instruction, "masks are not emulated");
    lowered.info.bytes = ptx::type_bits(type) / 8 * vector_length(instruction);
    if (space == "param" && !instruction.has("param::entry")) {
        auto framed = lower_frame_access(lowering, instruction, lowered, type, load);
        if (!framed || *framed) return framed;
    }
    if (load && space == "param") {
        auto known = lower_known_parameter(lowering, instruction, lowered, type);
        if (!known || *known) return known;
    }
    const Form* form = form_table().find(fmt::format("{}.{}.{}", load ? "ld" : "st", space, element));
    if (form == nullptr || element.empty() || space.empty()) return cannot_run(lowering, instruction);
    use_form(lowered, *form);
    const std::size_t where = load ? 1 : 0;
    if (auto done = address(lowering, instruction, instruction.operands[where], lowered.op); !done) return done.error();
    if (auto done = lower_values(lowering, instruction, instruction.operands[1 - where], type, load, lowered.op); !done)
        return done.error();
    const bool wide = lowered.info.bytes == 32 && space == "global";
    if (lowered.info.bytes > 16 && !wide) return cannot_run(lowering, instruction, "only global memory has accesses of 32 bytes a lane");
    return true;
}

} // namespace

Result<bool> lower_memory(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.opcode == "ld" || instruction.opcode == "ldu") return lower_load_store(lowering, instruction, lowered, true);
    if (instruction.opcode == "st") return lower_load_store(lowering, instruction, lowered, false);
    return false;
}

} // namespace apod::emu
