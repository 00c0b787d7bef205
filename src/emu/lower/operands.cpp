#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

#include <bit>
#include <optional>

namespace apod::emu {

namespace {

using ptx::OperandKind;
using ptx::Type;

struct SpecialName {
    std::string_view name;
    std::optional<SpecialKind> warp;
    std::optional<PoolKind> launch;
};

constexpr SpecialName special_names[] = {
    {"tid.x", SpecialKind::tid_x, {}},
    {"tid.y", SpecialKind::tid_y, {}},
    {"tid.z", SpecialKind::tid_z, {}},
    {"laneid", SpecialKind::laneid, {}},
    {"warpid", SpecialKind::warpid, {}},
    {"lanemask_eq", SpecialKind::lanemask_eq, {}},
    {"lanemask_lt", SpecialKind::lanemask_lt, {}},
    {"lanemask_le", SpecialKind::lanemask_le, {}},
    {"lanemask_gt", SpecialKind::lanemask_gt, {}},
    {"lanemask_ge", SpecialKind::lanemask_ge, {}},
    {"ctaid.x", SpecialKind::ctaid_x, {}},
    {"ctaid.y", SpecialKind::ctaid_y, {}},
    {"ctaid.z", SpecialKind::ctaid_z, {}},
    {"smid", SpecialKind::smid, {}},
    {"cluster_ctaid.x", SpecialKind::cluster_ctaid_x, {}},
    {"cluster_ctaid.y", SpecialKind::cluster_ctaid_y, {}},
    {"cluster_ctaid.z", SpecialKind::cluster_ctaid_z, {}},
    {"cluster_ctarank", SpecialKind::cluster_ctarank, {}},
    {"clusterid.x", SpecialKind::clusterid_x, {}},
    {"clusterid.y", SpecialKind::clusterid_y, {}},
    {"clusterid.z", SpecialKind::clusterid_z, {}},
    {"cluster_nctaid.x", {}, PoolKind::cluster_nctaid_x},
    {"cluster_nctaid.y", {}, PoolKind::cluster_nctaid_y},
    {"cluster_nctaid.z", {}, PoolKind::cluster_nctaid_z},
    {"cluster_nctarank", {}, PoolKind::cluster_nctarank},
    {"nclusterid.x", {}, PoolKind::nclusterid_x},
    {"nclusterid.y", {}, PoolKind::nclusterid_y},
    {"nclusterid.z", {}, PoolKind::nclusterid_z},
    {"ntid.x", {}, PoolKind::ntid_x},
    {"ntid.y", {}, PoolKind::ntid_y},
    {"ntid.z", {}, PoolKind::ntid_z},
    {"nctaid.x", {}, PoolKind::nctaid_x},
    {"nctaid.y", {}, PoolKind::nctaid_y},
    {"nctaid.z", {}, PoolKind::nctaid_z},
    {"nwarpid", {}, PoolKind::nwarpid},
    {"nsmid", {}, PoolKind::nsmid},
    {"envreg1", {}, PoolKind::envreg1},
    {"envreg2", {}, PoolKind::envreg2},
    {"dynamic_smem_size", {}, PoolKind::dynamic_shared},
    {"total_smem_size", {}, PoolKind::total_shared},
    {"aggr_smem_size", {}, PoolKind::total_shared},
};

// Registers that read as zero here: a driver sets %envreg1 and 2 of cooperative launches only, and no performance monitor runs.
bool reads_as_zero(std::string_view name) { return name == "gridid" || name.starts_with("envreg") || name.starts_with("pm"); }

Result<OperandRef> special(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand, Type type) {
    const bool wide = slot_class(type) == SlotClass::wide;
    if (reads_as_zero(operand.name) && operand.name != "envreg1" && operand.name != "envreg2")
        return wide ? lowering.pool.constant64(0) : lowering.pool.constant32(0);
    if (slot_class(type) != SlotClass::narrow)
        return cannot_run(lowering, instruction, fmt::format("%{} has 32 bits, .{} has not", operand.name, ptx::type_name(type)));
    for (const SpecialName& known : special_names) {
        if (known.name != operand.name) continue;
        if (known.launch) return lowering.pool.launch_value(*known.launch);
        return lowering.specials.at(*known.warp);
    }
    return cannot_run(lowering, instruction, fmt::format("the special register %{} is not emulated", operand.name));
}

std::uint64_t real_value_bits(const ptx::Operand& operand, Type type) {
    if (type == Type::f32) {
        if (operand.real_is_f32) return operand.real_bits & 0xffffffffu;
        return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.real_bits)));
    }
    if (operand.real_is_f32 && ptx::type_bits(type) == 64)
        return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.real_bits))));
    return operand.real_bits;
}

OperandRef constant(Lowering& lowering, std::uint64_t bits, Type type) {
    if (slot_class(type) == SlotClass::wide) return lowering.pool.constant64(bits);
    const std::uint32_t width = ptx::type_bits(type);
    // Narrow signed values are kept sign-extended, as the handlers keep them; see pack().
    auto value = static_cast<std::uint32_t>(bits);
    if (width == 16) value = ptx::is_signed_integer(type) ? static_cast<std::uint32_t>(static_cast<std::int16_t>(value)) : value & 0xffffu;
    if (width == 8) value = ptx::is_signed_integer(type) ? static_cast<std::uint32_t>(static_cast<std::int8_t>(value)) : value & 0xffu;
    return lowering.pool.constant32(value);
}

Result<OperandRef> register_ref(const Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand, Type type) {
    const ptx::Register& reg = lowering.function.registers[operand.index];
    if (operand.negated || !operand.name.empty())
        return cannot_run(lowering, instruction, fmt::format("register {} with a negation or a selector", reg.name));
    if (slot_class(reg.type) != slot_class(type))
        return malformed(lowering, instruction,
                         fmt::format("register {} is .{} where .{} is needed", reg.name, ptx::type_name(reg.type), ptx::type_name(type)));
    return lowering.slots.slot[operand.index] | region_registers;
}

} // namespace

Diagnostic cannot_run(const Lowering& lowering, const ptx::Instruction& instruction, std::string why) {
    Diagnostic diagnostic = bad_input(lowering.module.position(instruction.position),
                                      fmt::format("the emulator cannot run '{}' yet ({} {})", instruction.name(),
                                                  lowering.function.is_entry ? "kernel" : "function", lowering.function.name),
                                      "docs/emulator.md lists what it runs; a GPU device (--device cuda:0) runs everything");
    if (!why.empty()) diagnostic.notes.push_back(std::move(why));
    return diagnostic;
}

Diagnostic malformed(const Lowering& lowering, const ptx::Instruction& instruction, std::string why) {
    return bad_input(lowering.module.position(instruction.position),
                     fmt::format("'{}' in {} {}: {}", instruction.name(), lowering.function.is_entry ? "kernel" : "function",
                                 lowering.function.name, why),
                     "this is no valid PTX; compile it again with nvcc, or check it with ptxas");
}

Result<std::uint64_t> symbol_address(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand) {
    const ptx::Variable* variable = nullptr;
    if (operand.symbol == ptx::SymbolKind::module_variable) variable = &lowering.module.variables[operand.index];
    if (operand.symbol == ptx::SymbolKind::function) return function_handle(operand.index);
    if (operand.symbol == ptx::SymbolKind::function_variable) variable = &lowering.function.variables[operand.index];
    if (operand.symbol == ptx::SymbolKind::parameter) variable = &lowering.function.parameters[operand.index];
    if (variable == nullptr)
        return cannot_run(lowering, instruction, fmt::format("the address of '{}' is not known to the emulator", operand.name));
    const auto offset = static_cast<std::uint64_t>(operand.integer);
    if (const auto placed = lowering.layout.offset.find(variable); placed != lowering.layout.offset.end()) return placed->second + offset;
    if (const DeviceAddress address = lowering.image->address_of(variable->name); address != 0) return address + offset;
    return cannot_run(lowering, instruction, fmt::format("'{}' has no place in memory", operand.name));
}

Result<OperandRef> source(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand, Type type) {
    switch (operand.kind) {
    case OperandKind::reg: return register_ref(lowering, instruction, operand, type);
    case OperandKind::integer: return constant(lowering, static_cast<std::uint64_t>(operand.integer), type);
    case OperandKind::real:
        if (ptx::type_bits(type) < 32 || (ptx::is_float(type) && type != Type::f32 && type != Type::f64))
            return cannot_run(lowering, instruction, fmt::format("a real constant as .{}", ptx::type_name(type)));
        return constant(lowering, real_value_bits(operand, type), type);
    case OperandKind::special: return special(lowering, instruction, operand, type);
    case OperandKind::symbol: {
        if (!lowering.function.is_entry && frame_offset(lowering, operand))
            return cannot_run(lowering, instruction, "only mov takes the address of a function's local variable");
        auto address = symbol_address(lowering, instruction, operand);
        if (!address) return address.error();
        return constant(lowering, *address, type);
    }
    default: return malformed(lowering, instruction, "an operand is of a kind that this instruction does not take");
    }
}

Result<OperandRef> destination(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand, Type type) {
    if (operand.kind == OperandKind::sink) return cannot_run(lowering, instruction, "a result that goes nowhere");
    if (operand.kind != OperandKind::reg) return malformed(lowering, instruction, "the destination is not a register");
    return register_ref(lowering, instruction, operand, type);
}

Result<OperandRef> destination_or_sink(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand, Type type) {
    if (operand.kind == OperandKind::sink) return sink_ref;
    return destination(lowering, instruction, operand, type);
}

// Predicate slot 0 is all ones: the constants true and false.
Result<PredicateRef> predicate_source(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand) {
    if (operand.kind == OperandKind::integer) return PredicateRef{operand.integer != 0 ? 0u : 1u};
    if (operand.kind != OperandKind::reg || lowering.function.registers[operand.index].type != Type::pred)
        return malformed(lowering, instruction, "a predicate register is needed");
    return lowering.slots.slot[operand.index] << 1 | static_cast<PredicateRef>(operand.negated);
}

Result<std::uint32_t> predicate_destination(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand) {
    // Predicate slot 1 takes what nobody wants.
    if (operand.kind == OperandKind::sink) return std::uint32_t{1};
    if (operand.kind != OperandKind::reg || lowering.function.registers[operand.index].type != Type::pred)
        return malformed(lowering, instruction, "the destination is not a predicate register");
    return lowering.slots.slot[operand.index];
}

Result<std::int64_t> immediate(const Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand) {
    if (operand.kind != OperandKind::integer) return malformed(lowering, instruction, "an integer constant is needed");
    return operand.integer;
}

Result<void> address(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand, Op& op) {
    if (operand.kind != OperandKind::address || operand.children.empty())
        return malformed(lowering, instruction, "an address in [] is needed");
    const ptx::Operand& base = operand.children[0];
    op.imm = operand.integer;
    if (base.kind == OperandKind::reg) {
        const bool narrow = slot_class(lowering.function.registers[base.index].type) == SlotClass::narrow;
        auto ref = register_ref(lowering, instruction, base, narrow ? Type::b32 : Type::b64);
        if (!ref) return ref.error();
        op.a = *ref;
        if (narrow) op.flags |= flag_address32;
        return {};
    }
    std::uint64_t start = 0;
    if (const auto offset = frame_offset(lowering, base); offset && !lowering.function.is_entry) {
        op.a = frame_base(lowering);
        op.imm += static_cast<std::int64_t>(*offset);
        return {};
    }
    if (base.kind == OperandKind::symbol) {
        auto found = symbol_address(lowering, instruction, base);
        if (!found) return found.error();
        start = *found;
    } else if (base.kind == OperandKind::integer) {
        start = static_cast<std::uint64_t>(base.integer);
    } else {
        return malformed(lowering, instruction, "an address is a register, a symbol or a constant");
    }
    op.a = lowering.pool.constant64(start + static_cast<std::uint64_t>(op.imm));
    op.imm = 0;
    return {};
}

} // namespace apod::emu
