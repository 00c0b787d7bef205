// mov and what is lowered like it: vectors, clocks, address conversions, isspacep, fences and hints.
#include "emu/lower/lowering.hpp"
#include "emu/warp_context.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

const Form& form_named(std::string_view name) { return *form_table().find(name); }

// mov.b64 {a, b}, s and mov.b64 d, {a, b}.
Result<bool> lower_vector_move(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const bool packing = instruction.operands[1].kind == OperandKind::vector;
    if (instruction.modifiers.size() != 1) return cannot_run(lowering, instruction);
    const Operand& vector = instruction.operands[packing ? 1 : 0];
    const Operand& whole = instruction.operands[packing ? 0 : 1];
    const Type type = last_type(instruction);
    const auto count = static_cast<std::uint32_t>(vector.children.size());
    const std::uint32_t part_bits = count != 0 ? ptx::type_bits(type) / count : 0;
    const std::string name = fmt::format("{}.b{}.b{}", packing ? "pack" : "unpack", ptx::type_bits(type), part_bits);
    const Form* form = form_table().find(name);
    if (form == nullptr) return cannot_run(lowering, instruction, fmt::format("no form {}", name));
    use_form(lowered, *form);
    const Type part_type = packing ? form->a : form->dst;
    lowered.op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    lowered.op.count = static_cast<std::uint16_t>(count);
    for (const Operand& child : vector.children) {
        auto ref = packing ? source(lowering, instruction, child, part_type) : destination_or_sink(lowering, instruction, child, part_type);
        if (!ref) return ref.error();
        lowering.code.extra.push_back(*ref);
    }
    auto ref = packing ? destination(lowering, instruction, whole, form->dst) : source(lowering, instruction, whole, form->a);
    if (!ref) return ref.error();
    (packing ? lowered.op.dst : lowered.op.a) = *ref;
    return true;
}

struct Clock {
    std::string_view name;
    std::string_view form;
    Type type;
};
constexpr Clock clocks[] = {
    {"clock", "mov.clock", Type::b32},          {"clock_hi", "mov.clock_hi", Type::b32},       {"clock64", "mov.clock64", Type::b64},
    {"globaltimer_lo", "mov.clock", Type::b32}, {"globaltimer_hi", "mov.clock_hi", Type::b32}, {"globaltimer", "mov.clock64", Type::b64},
};

Result<bool> lower_clock(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, const Clock& clock) {
    use_form(lowered, form_named(clock.form));
    auto ref = destination(lowering, instruction, instruction.operands[0], clock.type);
    if (!ref) return ref.error();
    lowered.op.dst = *ref;
    return true;
}

// mov.pred p, %is_explicit_cluster: the launch's number compared with 0.
Result<bool> lower_explicit_cluster(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    use_form(lowered, form_named("setp.ne.u32"));
    auto dst = predicate_destination(lowering, instruction, instruction.operands[0]);
    if (!dst) return dst.error();
    lowered.op.dst = *dst;
    lowered.op.a = lowering.pool.launch_value(PoolKind::is_explicit_cluster);
    lowered.op.b = lowering.pool.constant32(0);
    return true;
}

Result<bool> lower_mov(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.operands.size() != 2) return malformed(lowering, instruction, "mov takes two operands");
    if (instruction.operands[0].kind == OperandKind::vector || instruction.operands[1].kind == OperandKind::vector)
        return lower_vector_move(lowering, instruction, lowered);
    const Operand& from = instruction.operands[1];
    if (from.kind == OperandKind::special)
        for (const Clock& clock : clocks)
            if (clock.name == from.name) return lower_clock(lowering, instruction, lowered, clock);
    if (from.kind == OperandKind::special && from.name == "is_explicit_cluster")
        return lower_explicit_cluster(lowering, instruction, lowered);
    return lower_frame(lowering, instruction, lowered);
}

bool is_parameter_space(const ptx::Instruction& instruction) { return instruction.has("param") || instruction.has("param::entry"); }

// The window of a space in generic addresses; global addresses are generic ones.
std::int64_t window_of(const ptx::Instruction& instruction) {
    if (instruction.has("shared") || instruction.has("shared::cta") || instruction.has("shared::cluster"))
        return static_cast<std::int64_t>(shared_window);
    if (is_parameter_space(instruction)) return static_cast<std::int64_t>(parameter_window);
    return instruction.has("local") ? static_cast<std::int64_t>(local_window) : 0;
}

Result<bool> lower_cvta(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.operands.size() != 2) return malformed(lowering, instruction, "cvta takes two operands");
    if (!instruction.has("u64")) return cannot_run(lowering, instruction, "32-bit generic addresses do not exist on 64-bit devices");
    if (const auto unknown = unknown_modifier(
            instruction, {"to", "global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry", "u64"});
        !unknown.empty())
        return cannot_run_modifier(lowering, instruction, unknown);
    const bool to = instruction.has("to");
    const std::int64_t window = window_of(instruction);
    if (is_parameter_space(instruction) && !lowering.function.is_entry)
        return cannot_run(lowering, instruction, "generic addresses of a function's own parameters are not emulated");
    use_form(lowered, form_named(to ? (window != 0 ? "cvta.to" : "mov.b64") : (window != 0 ? "cvta.window" : "mov.b64")));
    auto dst = destination(lowering, instruction, instruction.operands[0], Type::b64);
    auto src = source(lowering, instruction, instruction.operands[1], Type::b64);
    if (!dst) return dst.error();
    if (!src) return src.error();
    lowered.op.dst = *dst;
    lowered.op.a = *src;
    lowered.op.imm = window;
    return true;
}

SpaceQuestion question_of(const ptx::Instruction& instruction) {
    if (instruction.has("global")) return SpaceQuestion::global;
    if (instruction.has("const")) return SpaceQuestion::constant;
    if (instruction.has("shared::cluster")) return SpaceQuestion::shared_of_cluster;
    if (instruction.has("local")) return SpaceQuestion::local;
    return is_parameter_space(instruction) ? SpaceQuestion::parameter : SpaceQuestion::shared_of_block;
}

// The module's constant variables, whose addresses lie in the range of global ones here.
void list_constant_memory(Lowering& lowering, Op& op) {
    op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    op.count = 0;
    for (const ptx::Variable& variable : lowering.module.variables) {
        const DeviceAddress first = variable.space == ptx::Space::const_ ? lowering.image->address_of(variable.name) : 0;
        if (first == 0) continue;
        const DeviceAddress end = first + variable.size_bytes();
        for (const DeviceAddress word : {first, first >> 32, end, end >> 32})
            lowering.code.extra.push_back(static_cast<std::uint32_t>(word));
        ++op.count;
    }
}

Result<bool> lower_isspacep(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.operands.size() != 2) return malformed(lowering, instruction, "isspacep takes two operands");
    const auto unknown =
        unknown_modifier(instruction, {"global", "const", "shared", "shared::cta", "shared::cluster", "local", "param", "param::entry"});
    if (!unknown.empty()) return cannot_run_modifier(lowering, instruction, unknown);
    use_form(lowered, form_named("isspacep"));
    auto dst = predicate_destination(lowering, instruction, instruction.operands[0]);
    auto src = source(lowering, instruction, instruction.operands[1], Type::b64);
    if (!dst) return dst.error();
    if (!src) return src.error();
    lowered.op.dst = *dst;
    lowered.op.a = *src;
    lowered.op.imm = static_cast<std::int64_t>(question_of(instruction));
    list_constant_memory(lowering, lowered.op);
    return true;
}

bool is_hint(std::string_view opcode) {
    constexpr std::string_view hints[] = {"prefetch", "prefetchu", "discard", "applypriority", "pmevent", "nanosleep", "griddepcontrol"};
    return std::find(std::begin(hints), std::end(hints), opcode) != std::end(hints);
}

// createpolicy.KIND...b64 d, ...: a policy is opaque, and a hint wherever it is used.
Result<bool> lower_policy(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const std::string_view kind = instruction.modifiers.empty() ? "" : instruction.modifiers[0];
    if ((kind != "fractional" && kind != "range" && kind != "cvt") || !instruction.has("b64") || instruction.operands.empty())
        return cannot_run(lowering, instruction);
    for (const std::string_view modifier : instruction.modifiers)
        if (modifier != kind && modifier != "b64" && modifier != "global" && modifier != "L2" && !modifier.starts_with("L2::evict_"))
            return cannot_run_modifier(lowering, instruction, modifier);
    use_form(lowered, form_named("mov.b64"));
    auto dst = destination(lowering, instruction, instruction.operands[0], Type::b64);
    if (!dst) return dst.error();
    lowered.op.dst = *dst;
    lowered.op.a = lowering.pool.constant64(1);
    return true;
}

} // namespace

Result<bool> lower_move(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.opcode == "mov") return lower_mov(lowering, instruction, lowered);
    if (instruction.opcode == "alloca" || instruction.opcode == "stacksave" || instruction.opcode == "stackrestore")
        return lower_frame(lowering, instruction, lowered);
    if (instruction.opcode == "cvta") return lower_cvta(lowering, instruction, lowered);
    if (instruction.opcode == "createpolicy") return lower_policy(lowering, instruction, lowered);
    if (instruction.opcode == "isspacep") return lower_isspacep(lowering, instruction, lowered);
    if (instruction.opcode == "membar" || instruction.opcode == "fence") {
        if (const auto unknown =
                unknown_modifier(instruction, {"cta", "gl", "sys", "sc", "acq_rel", "acquire", "release", "cluster", "gpu", "proxy",
                                               "alias", "async", "async.global", "async.shared::cta", "generic", "mbarrier_init",
                                               "sync_restrict::shared::cta", "sync_restrict::shared::cluster", "async.shared::cluster"});
            !unknown.empty())
            return cannot_run_modifier(lowering, instruction, unknown);
        use_form(lowered, form_named("fence"));
        return true;
    }
    if (is_hint(instruction.opcode)) {
        use_form(lowered, form_named("nop"));
        return true;
    }
    return false;
}

} // namespace apod::emu
