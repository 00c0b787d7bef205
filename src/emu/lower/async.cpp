// cp.async, cp.async.bulk and mbarrier.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

const Form& form_named(std::string_view name) { return *form_table().find(name); }

// The global side of a copy: its register (or constant) into Op::b, its offset into Code::extra.
Result<void> lower_global_side(Lowering& lowering, const ptx::Instruction& instruction, const Operand& operand, Op& op) {
    Op side;
    if (auto done = address(lowering, instruction, operand, side); !done) return done;
    if ((side.flags & flag_address32) != 0) return malformed(lowering, instruction, "a global address has 64 bits");
    op.b = side.a;
    op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    lowering.code.extra.push_back(static_cast<std::uint32_t>(side.imm));
    return {};
}

// cp.async.ca|cg.shared.global [to], [from], bytes{, bytes to read};
Result<bool> lower_copy(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const auto unknown = unknown_modifier(
        instruction, {"async", "ca", "cg", "shared", "shared::cta", "global", "L2::64B", "L2::128B", "L2::256B", "L2::cache_hint"});
    if (!unknown.empty()) return cannot_run_modifier(lowering, instruction, unknown);
    auto operands = operands_without_policy(lowering, instruction);
    if (!operands) return operands.error();
    const std::size_t count = *operands;
    if (count != 3 && count != 4) return malformed(lowering, instruction, "an operand too many or too few");
    auto bytes = immediate(lowering, instruction, instruction.operands[2]);
    if (!bytes) return bytes.error();
    if (*bytes != 4 && *bytes != 8 && *bytes != 16) return malformed(lowering, instruction, "4, 8 or 16 bytes can be copied");
    if (count == 4 && lowering.function.registers.size() > instruction.operands[3].index &&
        lowering.function.registers[instruction.operands[3].index].type == Type::pred)
        return cannot_run(lowering, instruction, "ignore-src is not emulated");
    use_form(lowered, form_named("cp.async"));
    lowered.info.bytes = static_cast<std::uint32_t>(*bytes);
    lowered.op.count = static_cast<std::uint16_t>(*bytes);
    if (auto done = address(lowering, instruction, instruction.operands[0], lowered.op); !done) return done.error();
    if (auto done = lower_global_side(lowering, instruction, instruction.operands[1], lowered.op); !done) return done.error();
    auto size = source(lowering, instruction, instruction.operands[count - 1], Type::b32);
    if (!size) return size.error();
    lowered.op.c = *size;
    return true;
}

struct Side {
    OperandRef ref = sink_ref;
    std::uint32_t offset = 0;
    std::uint32_t narrow = 0; // a 32-bit slot
};

Result<Side> lower_side(Lowering& lowering, const ptx::Instruction& instruction, const Operand& operand) {
    Op side;
    if (auto done = address(lowering, instruction, operand, side); !done) return done.error();
    return Side{side.a, static_cast<std::uint32_t>(side.imm), (side.flags & flag_address32) != 0 ? 1u : 0u};
}

// What a bulk instruction is called in the table of forms; empty: there is none. A reduction's operation and type are what is left of its
// modifiers: "add.noftz.f16".
std::string bulk_form(const ptx::Instruction& instruction, bool in, bool from_global) {
    constexpr std::string_view known[] = {"reduce",          "async",          "bulk",
                                          "shared::cluster", "shared::cta",    "global",
                                          "bulk_group",      "L2::cache_hint", "mbarrier::complete_tx::bytes"};
    if (!instruction.has("reduce")) return !in ? "cp.async.bulk.store" : from_global ? "cp.async.bulk.load" : "cp.async.bulk.share";
    if (in && from_global) return {};
    std::string name = in ? "cp.reduce.async.bulk.share" : "cp.reduce.async.bulk.store";
    for (const std::string_view modifier : instruction.modifiers)
        if (std::find(std::begin(known), std::end(known), modifier) == std::end(known)) name += fmt::format(".{}", modifier);
    return name;
}

// cp.async.bulk.shared::cluster.{global|shared::cta}.mbarrier::complete_tx::bytes{.multicast::cluster} [to], [from], size, [mbarrier]{,
// blocks}; cp.async.bulk.global.shared::cta.bulk_group [to], [from], size;  both perhaps with .L2::cache_hint and a policy.
// cp.reduce.async.bulk likewise, but never from global memory, and with an operation and a type
Result<bool> lower_bulk_copy(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const auto unknown = unknown_modifier(instruction, {"async", "bulk", "shared::cluster", "shared::cta", "global", "bulk_group",
                                                        "mbarrier::complete_tx::bytes", "multicast::cluster", "L2::cache_hint"});
    const bool reduces = instruction.has("reduce");
    if (!unknown.empty() && !reduces) return cannot_run_modifier(lowering, instruction, unknown);
    const bool in = instruction.has("mbarrier::complete_tx::bytes");
    const bool from_global = instruction.has("global");
    const bool multicast = instruction.has("multicast::cluster");
    auto operands = operands_without_policy(lowering, instruction);
    if (!operands) return operands.error();
    if (*operands != (in ? 4u : 3u) + (multicast ? 1 : 0) || (!in && (!from_global || multicast)) || (!from_global && multicast))
        return cannot_run(lowering, instruction);
    const Form* form = form_table().find(bulk_form(instruction, in, from_global));
    if (form == nullptr) return cannot_run(lowering, instruction);
    use_form(lowered, *form);
    if (auto done = address(lowering, instruction, instruction.operands[in ? 0 : 1], lowered.op); !done) return done.error();
    auto other = lower_side(lowering, instruction, instruction.operands[in ? 1 : 0]);
    if (!other) return other.error();
    if (from_global && other->narrow != 0) return malformed(lowering, instruction, "a global address has 64 bits");
    lowered.op.b = other->ref;
    auto size = source(lowering, instruction, instruction.operands[2], Type::b32);
    if (!size) return size.error();
    lowered.op.c = *size;
    auto barrier = in ? lower_side(lowering, instruction, instruction.operands[3]) : Result<Side>(Side{});
    if (!barrier) return barrier.error();
    auto blocks = multicast ? source(lowering, instruction, instruction.operands[4], Type::b16) : Result<OperandRef>(sink_ref);
    if (!blocks) return blocks.error();
    lowered.op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    for (const std::uint32_t word : {other->offset, other->narrow, barrier->ref, barrier->offset, barrier->narrow, *blocks})
        lowering.code.extra.push_back(word);
    return true;
}

Result<bool> lower_cp(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (!instruction.has("async")) return false;
    if (instruction.has("commit_group") || instruction.has("wait_group") || instruction.has("wait_all") ||
        instruction.has("wait_group.read")) {
        use_form(lowered, form_named("nop"));
        return true;
    }
    if (instruction.has("mbarrier")) {
        if (instruction.operands.size() != 1) return malformed(lowering, instruction, "the mbarrier's address is needed, and nothing else");
        use_form(lowered, form_named("cp.async.mbarrier.arrive"));
        lowered.op.imm = instruction.has("noinc") ? 1 : 0;
        if (auto done = address(lowering, instruction, instruction.operands[0], lowered.op); !done) return done.error();
        return true;
    }
    if (instruction.has("bulk")) return lower_bulk_copy(lowering, instruction, lowered);
    return lower_copy(lowering, instruction, lowered);
}

// mbarrier.arrive and its like: {state,} [address]{, count}. The state may be missing or a sink.
Result<bool> lower_arrive(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, std::string_view form,
                          bool has_state) {
    use_form(lowered, form_named(form));
    std::size_t at = 0;
    lowered.op.flags |= flag_no_result;
    if (has_state) {
        if (instruction.operands.empty()) return malformed(lowering, instruction, "operands are missing");
        auto state = destination_or_sink(lowering, instruction, instruction.operands[at++], Type::b64);
        if (!state) return state.error();
        if (*state != sink_ref) {
            lowered.op.flags &= static_cast<std::uint16_t>(~flag_no_result);
            lowered.op.dst = *state;
        }
    }
    if (at >= instruction.operands.size()) return malformed(lowering, instruction, "the mbarrier's address is missing");
    if (auto done = address(lowering, instruction, instruction.operands[at++], lowered.op); !done) return done.error();
    lowered.op.b = lowering.pool.constant32(1);
    if (at < instruction.operands.size()) {
        auto count = source(lowering, instruction, instruction.operands[at], Type::b32);
        if (!count) return count.error();
        lowered.op.b = *count;
    }
    return true;
}

Result<bool> lower_test(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const bool parity = instruction.has("parity");
    // try_wait may take a time limit, which needs no attention: it may return early.
    if (instruction.operands.size() < 3) return malformed(lowering, instruction, "predicate, address and state are needed");
    use_form(lowered, form_named(parity ? "mbarrier.test.parity" : "mbarrier.test"));
    auto done = predicate_destination(lowering, instruction, instruction.operands[0]);
    if (!done) return done.error();
    lowered.op.dst = *done;
    if (auto placed = address(lowering, instruction, instruction.operands[1], lowered.op); !placed) return placed.error();
    auto state = source(lowering, instruction, instruction.operands[2], parity ? Type::b32 : Type::b64);
    if (!state) return state.error();
    lowered.op.b = *state;
    return true;
}

Result<bool> lower_mbarrier(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const std::string_view what = instruction.modifiers.empty() ? "" : instruction.modifiers[0];
    const bool returns_state = !instruction.operands.empty() && instruction.operands[0].kind != OperandKind::address;
    const bool remote = what == "arrive" || what == "arrive_drop" || what == "expect_tx" || what == "complete_tx";
    if (instruction.has("shared::cluster") && (!remote || (returns_state && instruction.operands[0].kind != OperandKind::sink)))
        return malformed(lowering, instruction, "barriers of other blocks take arrivals alone, and give no state");
    if (what == "init") return lower_arrive(lowering, instruction, lowered, "mbarrier.init", false);
    if (what == "inval") return lower_arrive(lowering, instruction, lowered, "mbarrier.inval", false);
    if (what == "arrive" && instruction.has("expect_tx"))
        return lower_arrive(lowering, instruction, lowered, "mbarrier.arrive.expect_tx", returns_state);
    if (what == "arrive") return lower_arrive(lowering, instruction, lowered, "mbarrier.arrive", returns_state);
    if (what == "arrive_drop" && !instruction.has("expect_tx"))
        return lower_arrive(lowering, instruction, lowered, "mbarrier.arrive_drop", returns_state);
    if (what == "expect_tx") return lower_arrive(lowering, instruction, lowered, "mbarrier.expect_tx", false);
    if (what == "complete_tx") return lower_arrive(lowering, instruction, lowered, "mbarrier.complete_tx", false);
    if (what == "test_wait" || what == "try_wait") return lower_test(lowering, instruction, lowered);
    if (what == "pending_count" && instruction.operands.size() == 2) {
        use_form(lowered, form_named("mbarrier.pending_count"));
        auto dst = destination(lowering, instruction, instruction.operands[0], Type::b32);
        auto state = source(lowering, instruction, instruction.operands[1], Type::b64);
        if (!dst) return dst.error();
        if (!state) return state.error();
        lowered.op.dst = *dst;
        lowered.op.a = *state;
        return true;
    }
    return cannot_run(lowering, instruction);
}

} // namespace

Result<bool> lower_async(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.opcode == "cp") return lower_cp(lowering, instruction, lowered);
    if (instruction.opcode == "mbarrier") return lower_mbarrier(lowering, instruction, lowered);
    return false;
}

} // namespace apod::emu
