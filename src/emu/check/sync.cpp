// Barriers, __syncwarp, what the device's runtime library does, and faults.
#include "emu/check/block_check.hpp"
#include "emu/warp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace apod::emu {

namespace {

// Each lane has its own member mask: the tiles of a warp synchronise side by side.
std::uint32_t members_of(const WarpContext& warp, const Op& op, unsigned lane) {
    const OperandRef ref = warp.block->extra[static_cast<std::size_t>(op.imm)];
    std::uint32_t members = 0;
    std::memcpy(&members, warp.region[ref & region_mask] + (ref & ~region_mask) + std::size_t{lane} * 4, 4);
    return members;
}

} // namespace

void BlockCheck::sync(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const OpPlan& plan = launch_.plans().ops[op.index];
    if (op.guard != no_predicate) check_predicate(warp, op, op.guard >> 1, mask, "a condition");
    if (plan.sources != 0) use_undefined(warp, op, launch_.plans().sources(plan)[plan.sources - 1], mask, "a member mask", false);
    std::uint32_t outside = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        if ((members_of(warp, op, lane) >> lane & 1u) == 0) outside |= 1u << lane;
    }
    if (outside == 0 || launch_.known(CheckKind::invalid_mask, op.index, 0)) return;
    CheckReport report = launch_.begin(CheckKind::invalid_mask, site(warp, op.index, static_cast<std::uint32_t>(std::countr_zero(outside))),
                                       "synchronisation");
    report.message = fmt::format("the member mask {:#010x} does not name the lane that executes it",
                                 members_of(warp, op, static_cast<unsigned>(std::countr_zero(outside))));
    report.advice = "name every lane that executes it in its mask, e.g. by __ballot_sync before the branch";
    launch_.report(std::move(report), op.index, 0);
}

void BlockCheck::sync_warp(WarpContext& warp, const Op& op, std::uint32_t mask) {
    while (mask != 0) {
        const std::uint32_t members = members_of(warp, op, static_cast<unsigned>(std::countr_zero(mask)));
        std::uint32_t together = 0;
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            if (members_of(warp, op, lane) == members) together |= 1u << lane;
        }
        clocks_.sync_warp(warp.index, together);
        mask &= ~together;
    }
}

namespace {

bool is_aligned(const ptx::Instruction& instruction) { return instruction.opcode == "bar" || instruction.has("aligned"); }

} // namespace

void BlockCheck::arrive(WarpContext& warp, const Op& op, std::uint32_t mask, std::uint32_t number, std::uint32_t expected) {
    BarrierState& state = barriers_[number];
    const OpInfo& info = launch_.program().ops[op.index];
    const CheckSite here = site(warp, op.index, static_cast<std::uint32_t>(std::countr_zero(mask)));
    const std::uint32_t missing = warp.live & ~mask;
    if (missing != 0 && is_aligned(info.function->instructions[info.instruction]) &&
        !launch_.known(CheckKind::divergent_barrier, op.index, 0)) {
        CheckReport report = launch_.begin(CheckKind::divergent_barrier, here, "barrier");
        report.message =
            fmt::format("a barrier is reached by {} of the {} living threads of a warp", std::popcount(mask), std::popcount(warp.live));
        report.advice = "every thread of the block must reach the same __syncthreads(): move it out of the branch or loop";
        launch_.report(std::move(report), op.index, 0);
    }
    std::string wrong;
    if (expected % lanes != 0) wrong = fmt::format("barrier {} is to wait for {} threads, which is no multiple of 32", number, expected);
    if (expected > warps_.size() * lanes)
        wrong = fmt::format("barrier {} is to wait for {} threads, the block has {}", number, expected, launch_.config().block.count());
    if (state.arrived != 0 && state.expected != expected)
        wrong =
            fmt::format("barrier {} is to wait for {} threads here and for {} where others have arrived", number, expected, state.expected);
    const auto count = static_cast<std::uint32_t>(std::popcount(mask));
    if (wrong.empty() && expected != 0 && state.arrived + count > expected)
        wrong = fmt::format("barrier {} waits for {} threads, and {} arrive", number, expected, state.arrived + count);
    if (!wrong.empty() && !launch_.known(CheckKind::barrier_misuse, op.index, 0)) {
        CheckReport report = launch_.begin(CheckKind::barrier_misuse, here, "barrier");
        report.message = wrong;
        if (state.arrived != 0) report.other = launch_.access(state.first, "barrier");
        report.advice = "let all who use a named barrier at a time give the same count, that of all threads that sync and arrive";
        launch_.report(std::move(report), op.index, 0);
    }
    if (state.arrived == 0) state.first = here;
    state.expected = expected;
    state.arrived += count;
    clocks_.arrive(state.clock, warp.index, mask);
}

void BlockCheck::release(std::uint32_t number, const std::vector<Warp>& warps) {
    BarrierState& state = barriers_[number];
    for (const Warp& warp : warps) {
        const std::uint32_t first = warp.context.index * lanes;
        const std::uint32_t there = threads_ - first >= lanes ? 0xffffffffu : (1u << (threads_ - first)) - 1;
        clocks_.add_left(state.clock, warp.context.index, there & ~warp.context.live);
        if (state.expected == 0 && (there & ~warp.context.live) != 0) report_left_out(state, warp.context, there & ~warp.context.live);
    }
    state.done = clocks_.complete(state.clock);
    state.arrived = state.expected = 0;
}

// Of the threads that have left the kernel, those that came by the barrier and did something behind it. To those that leave at once it does
// not matter since Volta.
void BlockCheck::report_left_out(const BarrierState& state, const WarpContext& warp, std::uint32_t exited) {
    std::uint32_t missing = 0;
    std::uint32_t wrote = 0;
    for (std::uint32_t rest = exited; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint32_t last = last_write_[warp.index * lanes + lane];
        if (last == 0 || !launch_.leaves_out(last - 1, state.first.op)) continue;
        if (missing == 0) wrote = last - 1;
        missing |= 1u << lane;
    }
    const auto times = static_cast<std::uint64_t>(std::popcount(missing));
    if (missing == 0 || launch_.known(CheckKind::divergent_barrier, state.first.op, 0, 0)) return; // part of a warp: said already
    if (launch_.known(CheckKind::divergent_barrier, state.first.op, wrote + 1, times)) return;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(missing));
    CheckReport report = launch_.begin(CheckKind::divergent_barrier, state.first, "barrier");
    report.other = launch_.access(site(warp, wrote, first), "write behind it");
    report.message = "threads of the block leave the barrier out that others wait at, and go on";
    report.count = times;
    report.advice = "every thread of the block must reach the same __syncthreads(): move it out of the branch or loop";
    launch_.report(std::move(report), state.first.op, wrote + 1);
}

void BlockCheck::pass(const WarpContext& warp, std::uint32_t mask, std::uint32_t number) {
    if (barriers_[number].done != nullptr) clocks_.pass(barriers_[number].done, warp.index, mask);
}

void BlockCheck::finish() {
    for (std::uint32_t b = 0; b < barriers_.size(); ++b) {
        const BarrierState& state = barriers_[b];
        if (state.arrived == 0 || launch_.known(CheckKind::barrier_misuse, state.first.op, 0)) continue;
        CheckReport report = launch_.begin(CheckKind::barrier_misuse, state.first, "barrier");
        report.message = fmt::format("{} threads arrived at barrier {}, and nobody waits there", state.arrived, b);
        report.advice = "let each bar.arrive have its bar.sync, with the same number and count";
        launch_.report(std::move(report), state.first.op, 0);
    }
}

// free in device code: what cannot be freed is a report, and left out.
void BlockCheck::before_builtin(WarpContext& warp, const Frame& frame, const Op& op, const CallSite& site, std::uint32_t& mask) {
    if (site.builtin != Builtin::release) return;
    Allocations& allocations = launch_.allocations();
    std::vector<std::uint64_t> given;
    std::uint32_t fine = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t pointer = read_value(warp, frame, site.arguments[0], lane);
        const ObjectId id = pointer != 0 ? allocations.find(pointer) : 0;
        const bool again = std::find(given.begin(), given.end(), pointer) != given.end();
        given.push_back(pointer);
        if (pointer == 0 || (id != 0 && allocations[id].block && allocations[id].base == pointer && !again)) {
            fine |= 1u << lane;
            continue;
        }
        const ObjectId freed = again ? id : allocations.freed_at(pointer);
        const bool twice = freed != 0 && allocations[freed].base == pointer;
        const CheckKind kind = twice ? CheckKind::double_free : CheckKind::invalid_free;
        if (launch_.known(kind, op.index, 0)) continue;
        CheckReport report = launch_.begin(kind, this->site(warp, op.index, lane), "free");
        report.address = pointer;
        if (const ObjectId object = twice ? freed : id; object != 0) report.object = object_at(object, pointer);
        report.message = twice ? "memory is freed that is free already" : "memory is freed that malloc in device code did not give";
        if (twice && !allocations[freed].freed_by.empty()) report.notes.push_back("freed by " + allocations[freed].freed_by);
        report.advice = "free each block once, by the pointer that malloc gave";
        launch_.report(std::move(report), op.index, 0);
    }
    mask = fine;
    const CheckPlace place = launch_.place(op.index);
    allocations.set_freeing(fmt::format("free in {}:{}", place.file, place.line));
}

void BlockCheck::after_builtin(const WarpContext& warp, const Frame& frame, const CallSite& site, std::uint32_t mask) {
    launch_.allocations().set_freeing("");
    FrameShadow& shadows = shadow(warp);
    for (const ValuePlace& result : site.results) {
        if (!result.in_slot) {
            for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
                set_written(warp, MemorySpace::local, static_cast<unsigned>(std::countr_zero(rest)), frame.local_base + result.offset,
                            result.bytes, true);
        } else if ((result.slot & region_mask) == region_registers && result.bytes != 0) {
            const std::uint32_t unit = (result.slot & ~region_mask) / slot32_bytes;
            shadows.undefined[unit] &= ~mask;
            shadows.pointing[unit] &= ~mask;
            for (std::uint32_t rest = result.bytes == 8 ? mask : 0; rest != 0; rest &= rest - 1) {
                const auto lane = static_cast<unsigned>(std::countr_zero(rest));
                const std::uint64_t value = read_value(warp, frame, result, lane);
                set_pointer(shadows, {PlanValue::Kind::wide, false, unit}, lane,
                            {value != 0 ? launch_.allocations().pointed_at(value) : 0, 0});
            }
        }
    }
}

void BlockCheck::fault(const Diagnostic& diagnostic, const Fault& fault) {
    CheckKind kind = CheckKind::fault;
    switch (fault.kind) {
    case FaultKind::out_of_bounds: kind = CheckKind::out_of_bounds; break;
    case FaultKind::misaligned: kind = CheckKind::misaligned; break;
    case FaultKind::deadlock: kind = CheckKind::deadlock; break;
    case FaultKind::stack_overflow: kind = CheckKind::stack_overflow; break;
    case FaultKind::divergent_barrier: kind = CheckKind::divergent_barrier; break;
    case FaultKind::bad_free: kind = CheckKind::invalid_free; break;
    default: break;
    }
    launch_.report_fault(diagnostic, kind, {fault.op, block_, fault.warp * lanes + fault.lane});
}

} // namespace apod::emu
