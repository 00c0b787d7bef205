#include "emu/check/block_check.hpp"

#include <algorithm>
#include <bit>

namespace apod::emu {

void checked_op(WarpContext& warp, const Op& op, std::uint32_t mask) { warp.block->check->execute(warp, op, mask); }

BlockCheck::BlockCheck(LaunchCheck& launch, std::uint32_t warps, std::uint32_t threads, std::uint32_t shared_bytes,
                       std::uint32_t local_bytes) :
    launch_(launch),
    threads_(threads),
    shared_bytes_(shared_bytes),
    local_bytes_(local_bytes),
    warps_(warps),
    shared_touched_((shared_bytes + 3) / 4) {}

void BlockCheck::start(std::uint64_t block) {
    block_ = block;
    shared_written_ = WrittenBytes(shared_bytes_, false);
    local_written_ = WrittenBytes(std::uint64_t{local_bytes_} * lanes * warps_.size(), false);
    clocks_.start(block, static_cast<std::uint32_t>(warps_.size()) * lanes);
    shared_touched_.clear();
    shared_places_.clear();
    barriers_.fill({});
    rounds_.assign(launch_.plans().ops.size() * warps_.size(), 0);
    last_write_.assign(warps_.size() * lanes, 0);
    async_groups_.clear();
    async_threads_.assign(warps_.size() * lanes, {});
    group_lanes_.assign((std::size_t{launch_.plans().groups} + 1) * warps_.size(), {0xffffffffu, 0});
}

namespace {

// Registers that are live at the entry may be read before they are written.
void mark_unwritten(FrameShadow& shadow, const Plans& plans, std::size_t function) {
    for (const std::uint32_t unit : plans.unwritten[function]) {
        shadow.undefined[unit] = 0xffffffffu;
        shadow.origins[unit].fill({never_written, false});
    }
    for (const std::uint32_t slot : plans.unwritten_predicates[function]) {
        shadow.undefined_predicates[slot] = 0xffffffffu;
        shadow.predicate_origins[slot] = {never_written, false};
    }
}

} // namespace

void BlockCheck::start_warp(WarpContext& warp) {
    warps_[warp.index].clear();
    FrameShadow& frame = shadow(warp);
    const FunctionCode& kernel = launch_.code().functions[0];
    frame.reset(kernel.register_bytes / slot32_bytes, kernel.predicates);
    mark_unwritten(frame, launch_.plans(), 0);
}

void BlockCheck::check_predicate(WarpContext& warp, const Op& op, std::uint32_t slot, std::uint32_t mask, const char* use) {
    FrameShadow& frame = shadow(warp);
    const std::uint32_t undefined = frame.undefined_predicates[slot] & mask;
    if (undefined == 0) return;
    report_undefined(warp, op.index, frame.predicate_origins[slot], static_cast<unsigned>(std::countr_zero(undefined)), use);
}

std::uint32_t BlockCheck::guarded(WarpContext& warp, const Op& op, std::uint32_t mask) {
    if (op.guard == no_predicate) return mask;
    check_predicate(warp, op, op.guard >> 1, mask, "a condition");
    return mask & (warp.predicates[op.guard >> 1] ^ (0u - (op.guard & 1u)));
}

void BlockCheck::decide(WarpContext& warp, const Op& op, std::uint32_t mask) {
    if (op.guard != no_predicate) check_predicate(warp, op, op.guard >> 1, mask, "the condition of a branch");
}

void BlockCheck::read_index(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const OpPlan& plan = launch_.plans().ops[op.index];
    if (plan.sources != 0) use_undefined(warp, op, launch_.plans().sources(plan)[0], mask, "the index of a branch", false);
}

void BlockCheck::execute(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const OpPlan& plan = launch_.plans().ops[op.index];
    if (!plan.unguarded) mask = guarded(warp, op, mask);
    if (mask == 0) return;
    switch (plan.act) {
    case Act::registers:
        if (plan.flow == Flow::shuffle)
            flow_shuffle(warp, op, plan, mask);
        else
            flow(warp, plan, mask);
        plan.original(warp, op, mask);
        return;
    case Act::parameter:
        plan.original(warp, op, mask);
        set_defined(shadow(warp), plan, mask);
        look_up(warp, shadow(warp), plan, mask);
        return;
    case Act::load: return load(warp, op, plan, mask);
    case Act::store: return store(warp, op, plan, mask);
    case Act::atomic: return atomic(warp, op, plan, mask);
    case Act::frame_load:
    case Act::frame_store: return frame_access(warp, op, plan, mask);
    case Act::copy_async: return copy_async(warp, op, plan, mask);
    case Act::bulk_copy: return bulk_copy(warp, op, plan, mask);
    case Act::tile: return tile(warp, op, plan, mask);
    case Act::rows: return rows(warp, op, plan, mask);
    case Act::async_arrive:
    case Act::mbarrier: return mbarrier(warp, op, plan, mask);
    case Act::async_commit: async_commit(warp, mask); break;
    case Act::async_wait: async_wait(warp, mask, plan.wait_for); break;
    case Act::fence: clocks_.fence(warp.index, mask, plan.scope); break;
    case Act::unchecked: set_defined(shadow(warp), plan, mask); break;
    }
    plan.original(warp, op, mask);
}

namespace {

std::uint32_t unit_of(const ValuePlace& place) { return (place.slot & ~region_mask) / slot32_bytes; }
bool in_register(const ValuePlace& place) { return place.in_slot && (place.slot & region_mask) == region_registers; }

} // namespace

// An argument or a result moves from one frame to another: what is known of it goes along.
static void move_shadow(FrameShadow& from, const ValuePlace& source, FrameShadow& to, const ValuePlace& target, std::uint32_t mask) {
    if (!in_register(target)) return;
    const std::uint32_t into = unit_of(target);
    const bool registers = in_register(source);
    const std::uint32_t undefined = registers ? from.undefined[unit_of(source)] : 0;
    const std::uint32_t pointing = registers ? from.pointing[unit_of(source)] : 0;
    to.undefined[into] = (to.undefined[into] & ~mask) | (undefined & mask);
    to.pointing[into] = (to.pointing[into] & ~mask) | (pointing & mask);
    if (!registers) return;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if ((mask >> lane & 1u) == 0) continue;
        to.origins[into][lane] = from.origins[unit_of(source)][lane];
        to.pointers[into][lane] = from.pointers[unit_of(source)][lane];
    }
}

void BlockCheck::enter(const WarpContext& warp, const Frame& caller, const CallSite& site, const Frame& callee,
                       const FunctionCode& function, std::uint32_t index, std::uint32_t mask) {
    FrameShadow& to = warps_[warp.index].frame(callee.registers);
    to.reset(function.register_bytes / slot32_bytes + 1, function.predicates);
    mark_unwritten(to, launch_.plans(), index);
    FrameShadow& from = warps_[warp.index].frame(caller.registers);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
        set_written(warp, MemorySpace::local, static_cast<unsigned>(std::countr_zero(rest)), callee.local_base, function.frame_bytes,
                    false);
    for (std::size_t i = 0; i < site.arguments.size(); ++i) {
        const ValuePlace& target = function.parameters[i];
        move_shadow(from, site.arguments[i], to, target, mask);
        if (target.in_slot) continue;
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
            set_written(warp, MemorySpace::local, static_cast<unsigned>(std::countr_zero(rest)), callee.local_base + target.offset,
                        target.bytes, true);
    }
}

void BlockCheck::leave(const WarpContext& warp, const Frame& callee, const FunctionCode& function, const Frame& caller,
                       const CallSite& site, std::uint32_t mask) {
    FrameShadow& from = warps_[warp.index].frame(callee.registers);
    FrameShadow& to = warps_[warp.index].frame(caller.registers);
    for (std::size_t i = 0; i < site.results.size(); ++i) {
        const ValuePlace& target = site.results[i];
        if (target.bytes == 0) continue;
        move_shadow(from, function.returns[i], to, target, mask);
        if (target.in_slot) continue;
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
            set_written(warp, MemorySpace::local, static_cast<unsigned>(std::countr_zero(rest)), caller.local_base + target.offset,
                        target.bytes, true);
    }
}

} // namespace apod::emu
