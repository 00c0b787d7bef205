// Clusters: mapa, getctarank, barrier.cluster.arrive, st.async and red.async. (Its wait is a terminator, in control.cpp.)
#include "emu/lower/lowering.hpp"
#include "emu/warp_context.hpp"

#include <fmt/format.h>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

// mapa{.shared::cluster}.TYPE d, a, rank; getctarank{.shared::cluster}.TYPE d, a;
Result<bool> lower_mapping(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const auto unknown = unknown_modifier(instruction, {"shared::cluster", "u32", "u64"});
    if (!unknown.empty()) return cannot_run_modifier(lowering, instruction, unknown);
    const Form* form = form_table().find(fmt::format("{}.{}", instruction.opcode, ptx::type_name(last_type(instruction))));
    if (form == nullptr) return cannot_run(lowering, instruction);
    if (last_type(instruction) == Type::u32 && !instruction.has("shared::cluster"))
        return malformed(lowering, instruction, "generic addresses have 64 bits");
    const bool maps = instruction.opcode == "mapa";
    if (instruction.operands.size() != (maps ? 3u : 2u)) return malformed(lowering, instruction, "an operand too many or too few");
    use_form(lowered, *form);
    auto dst = destination(lowering, instruction, instruction.operands[0], form->dst);
    if (!dst) return dst.error();
    auto a = source(lowering, instruction, instruction.operands[1], form->a);
    if (!a) return a.error();
    lowered.op.dst = *dst;
    lowered.op.a = *a;
    if (!maps) return true;
    auto rank = source(lowering, instruction, instruction.operands[2], Type::b32);
    if (!rank) return rank.error();
    lowered.op.b = *rank;
    return true;
}

void arrive_at_cluster(WarpContext& warp, const Op&, std::uint32_t mask) { warp.cluster_arrived |= mask; }

// barrier.cluster.arrive{.release|.relaxed}{.aligned};
Result<bool> lower_arrive(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const auto unknown = unknown_modifier(instruction, {"cluster", "arrive", "release", "relaxed", "aligned"});
    if (!unknown.empty()) return cannot_run_modifier(lowering, instruction, unknown);
    if (!instruction.operands.empty()) return malformed(lowering, instruction, "it takes no operands");
    lowered.op.full = lowered.op.masked = lowered.op.body = arrive_at_cluster;
    lowered.info.op_class = OpClass::barrier;
    return true;
}

std::string reduction_form(const ptx::Instruction& instruction, Type type) {
    std::string_view operation = "?";
    for (const std::string_view known : {"add", "min", "max", "inc", "dec", "and", "or", "xor"})
        if (instruction.has(known)) operation = known;
    return fmt::format("red.async.{}.{}", operation, ptx::type_name(type));
}

// st.async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes{.VEC}.TYPE [a], b, [mbarrier];
// red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.OP.TYPE [a], b, [mbarrier];
Result<bool> lower_async_write(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const bool store = instruction.opcode == "st";
    const auto unknown = unknown_modifier(instruction, {"async",
                                                        "weak",
                                                        "relaxed",
                                                        "cluster",
                                                        "shared::cluster",
                                                        "mbarrier::complete_tx::bytes",
                                                        "v2",
                                                        "v4",
                                                        "b32",
                                                        "b64",
                                                        "u32",
                                                        "u64",
                                                        "s32",
                                                        "s64",
                                                        "f32",
                                                        "f64",
                                                        "add",
                                                        "min",
                                                        "max",
                                                        "inc",
                                                        "dec",
                                                        "and",
                                                        "or",
                                                        "xor"});
    if (!unknown.empty()) return cannot_run_modifier(lowering, instruction, unknown);
    const Type type = last_type(instruction);
    const std::uint32_t bits = ptx::type_bits(type);
    const std::uint32_t count = vector_length(instruction);
    if (!instruction.has("mbarrier::complete_tx::bytes") || instruction.operands.size() != 3 || count * bits > 128)
        return cannot_run(lowering, instruction);
    const std::string name = store ? fmt::format("st.async.{}", bits) : reduction_form(instruction, type);
    const Form* form = form_table().find(name);
    if (form == nullptr || (!store && count != 1)) return cannot_run(lowering, instruction);
    use_form(lowered, *form);
    lowered.info.bytes = count * bits / 8;
    lowered.op.count = static_cast<std::uint16_t>(count);
    if (auto done = address(lowering, instruction, instruction.operands[0], lowered.op); !done) return done.error();
    Op barrier;
    if (auto done = address(lowering, instruction, instruction.operands[2], barrier); !done) return done.error();
    lowered.op.c = barrier.a;
    const std::vector<Operand> one{instruction.operands[1]};
    const std::vector<Operand>& values = one[0].kind == OperandKind::vector ? one[0].children : one;
    if (values.size() != count) return malformed(lowering, instruction, fmt::format("{} values are needed", count));
    lowered.op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    lowering.code.extra.resize(lowered.op.extra + 6, sink_ref);
    for (std::uint32_t i = 0; i < count; ++i) {
        auto value = source(lowering, instruction, values[i], type);
        if (!value) return value.error();
        lowering.code.extra[lowered.op.extra + i] = *value;
    }
    lowering.code.extra[lowered.op.extra + 4] = static_cast<std::uint32_t>(barrier.imm);
    lowering.code.extra[lowered.op.extra + 5] = (barrier.flags & flag_address32) != 0 ? 1 : 0;
    return true;
}

} // namespace

Result<bool> lower_cluster(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const std::string_view opcode = instruction.opcode;
    if (opcode == "mapa" || opcode == "getctarank") return lower_mapping(lowering, instruction, lowered);
    if (opcode == "barrier" && instruction.has("cluster")) return lower_arrive(lowering, instruction, lowered);
    if ((opcode == "st" || opcode == "red") && instruction.has("async")) return lower_async_write(lowering, instruction, lowered);
    return false;
}

} // namespace apod::emu
