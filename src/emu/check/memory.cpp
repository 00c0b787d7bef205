// Loads, stores and atomics under checks.
#include "emu/check/block_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace apod::emu {

std::string access_text(AccessKind kind, std::uint32_t bytes); // access.cpp

namespace {

template<class F> void each_lane(std::uint32_t mask, F f) {
    for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

constexpr MemorySpace generic_spaces[] = {MemorySpace::global, MemorySpace::shared, MemorySpace::local};

std::uint64_t window_of(MemorySpace space) {
    return space == MemorySpace::shared ? shared_window : space == MemorySpace::local ? local_window : 0;
}

} // namespace

// The lanes that reach into the shared memory of a block of the cluster by its rank. That memory learns of their writes; nothing else of it
// is followed.
std::uint32_t BlockCheck::distributed(const WarpContext& warp, const CheckedAccess& access, std::uint32_t mask) const {
    std::uint32_t found = 0;
    each_lane(mask, [&](unsigned lane) {
        const std::uint64_t rank = access.address[lane] >> cluster_rank_shift;
        if (rank == 0 || rank > warp.block->cluster_size || warp.block->cluster == nullptr) return;
        found |= 1u << lane;
        const BlockContext* target = warp.block->cluster[rank - 1];
        if (access.kind != AccessKind::load && target != nullptr && target->check != nullptr)
            target->check->shared_written_.set(access.address[lane] & shared_offset_mask, access.bytes);
    });
    return found;
}

// Calls f(access) for each space that the lanes reach. Lanes in none of them are left to the op itself.
template<class F>
void BlockCheck::by_space(const WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask, AccessKind kind, F f) {
    CheckedAccess access;
    access.bytes = plan.bytes * plan.elements;
    access.kind = kind;
    addresses(warp, op.a, op.imm, (op.flags & flag_address32) != 0, access);
    if (!plan.generic) {
        access.space = plan.space;
        access.mask = mask & ~distributed(warp, access, plan.space == MemorySpace::shared ? mask : 0);
        if (access.mask != 0) f(access);
        return;
    }
    for (const MemorySpace space : generic_spaces) {
        CheckedAccess part = access;
        part.space = space;
        each_lane(mask, [&](unsigned lane) {
            if ((access.address[lane] & window_mask) != window_of(space)) return;
            part.mask |= 1u << lane;
            part.address[lane] &= ~window_mask;
        });
        if (space == MemorySpace::shared) part.mask &= ~distributed(warp, part, part.mask);
        if (part.mask != 0) f(part);
    }
}

std::uint32_t BlockCheck::written(const WarpContext& warp, MemorySpace space, unsigned lane, std::uint64_t address, std::uint32_t bytes) {
    if (space == MemorySpace::shared) return shared_written_.test(address, bytes);
    if (space == MemorySpace::local) return local_written_.test((std::uint64_t{warp.index} * lanes + lane) * local_bytes_ + address, bytes);
    if (space == MemorySpace::constant) return 0xffffffffu;
    const ObjectId id = launch_.allocations().find(address);
    if (id == 0) return 0xffffffffu;
    const CheckedAllocation& allocation = launch_.allocations()[id];
    return allocation.written.test(address - allocation.base, bytes);
}

void BlockCheck::set_written(const WarpContext& warp, MemorySpace space, unsigned lane, std::uint64_t address, std::uint64_t bytes,
                             bool written) {
    WrittenBytes* map = &shared_written_;
    if (space == MemorySpace::local) {
        map = &local_written_;
        address += (std::uint64_t{warp.index} * lanes + lane) * local_bytes_;
    } else if (space != MemorySpace::shared) {
        const ObjectId id = launch_.allocations().find(address);
        if (id == 0 || space == MemorySpace::constant) return;
        CheckedAllocation& allocation = launch_.allocations()[id];
        map = &allocation.written;
        address -= allocation.base;
    }
    written ? map->set(address, bytes) : map->clear(address, bytes);
}

void BlockCheck::report_unwritten(const WarpContext& warp, const Op& op, const CheckedAccess& access, std::uint32_t lanes_that_read) {
    const auto times = static_cast<std::uint64_t>(std::popcount(lanes_that_read));
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes_that_read));
    ObjectId of = access.space == MemorySpace::global ? launch_.allocations().find(access.address[lane]) : 0;
    if (launch_.allocations()[of].block) of = 0; // each thread may have its own
    if (launch_.known(CheckKind::uninitialised, op.index, of, times)) return;
    const char* space = access.space == MemorySpace::shared ? "shared" : access.space == MemorySpace::local ? "local" : "global";
    CheckReport report = launch_.begin(CheckKind::uninitialised, site(warp, op.index, lane), access_text(access.kind, access.bytes));
    report.count = times;
    report.address = access.address[lane];
    report.object = object_around(access, lane);
    report.message = fmt::format("{} of uninitialised {} memory", report.access.what, space);
    report.advice = access.space == MemorySpace::global ? "copy or write to the memory first, or fill it (cudaMemset)"
                                                        : "write the memory before it is read";
    launch_.report(std::move(report), op.index, of);
}

void BlockCheck::load(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask) {
    use_undefined(warp, op, plan.address, mask, "an address", false);
    std::array<CheckedAccess, 3> accesses;
    unsigned count = 0;
    std::uint32_t barred = 0;
    by_space(warp, op, plan, mask, AccessKind::load, [&](CheckedAccess& access) {
        const std::uint32_t fine = allowed(warp, op, plan.address, access);
        barred |= access.mask & ~fine;
        access.mask = fine;
        if (fine == 0) return;
        touch(warp, op, access, 0, plan.strong || plan.optimistic ? touch_strong : 0);
        if (plan.strong) synchronise(warp, plan, access, true, false);
        accesses[count++] = access;
    });
    if ((mask & ~barred) != 0) plan.original(warp, op, mask & ~barred);
    FrameShadow& frame = shadow(warp);
    set_defined(frame, plan, mask);
    for (unsigned a = 0; a < count; ++a) loaded(warp, op, plan, accesses[a]);
    look_up(warp, frame, plan, mask & ~barred);
}

// What was never written, of a scalar or of all elements of a vector, is reported here. What was written in part may be a structure with
// its padding: the lanes remember, and their use will show.
void BlockCheck::loaded(WarpContext& warp, const Op& op, const OpPlan& plan, const CheckedAccess& access) {
    Undefined whole;
    whole.lanes = access.mask;
    for (std::uint32_t e = 0; e < plan.elements; ++e) loaded_element(warp, op, plan, access, e, whole);
    if (plan.group == 0) {
        if (whole.lanes == 0) return;
        report_unwritten(warp, op, access, whole.lanes);
        FrameShadow& frame = shadow(warp);
        for (unsigned i = 0; i < plan.results; ++i) set_undefined(frame, launch_.plans().results(plan)[i], whole.lanes, {});
        return;
    }
    auto& [all, seen] = group_lanes_[std::size_t{plan.group} * warps_.size() + warp.index];
    all &= whole.lanes | ~access.mask;
    seen |= access.mask;
    if (!plan.group_ends) return;
    if (const std::uint32_t lanes_of_all = all & seen; lanes_of_all != 0) report_unwritten(warp, op, access, lanes_of_all);
    all = 0xffffffffu;
    seen = 0;
}

void BlockCheck::loaded_element(WarpContext& warp, const Op& op, const OpPlan& plan, const CheckedAccess& access, std::uint32_t element,
                                Undefined& whole) {
    Undefined undefined;
    each_lane(access.mask, [&](unsigned lane) {
        if (written(warp, access.space, lane, access.address[lane] + std::uint64_t{element} * plan.bytes, plan.bytes) != 0) return;
        undefined.lanes |= 1u << lane;
        undefined.origin[lane] = {op.index, false};
    });
    whole.lanes &= undefined.lanes;
    if (undefined.lanes == 0) return;
    if (element < plan.results) set_undefined(shadow(warp), launch_.plans().results(plan)[element], access.mask, undefined);
}

namespace {

std::uint64_t store_value(const WarpContext& warp, const Op& op, std::uint32_t bytes, std::uint32_t element, unsigned lane) {
    const OperandRef ref = op.count == 1 ? op.b : warp.block->extra[op.extra + element];
    const unsigned slot = bytes == 8 || (op.flags & flag_wide_register) != 0 ? 8 : 4;
    std::uint64_t value = 0;
    std::memcpy(&value, warp.region[ref & region_mask] + (ref & ~region_mask) + std::size_t{lane} * slot, std::min(bytes, slot));
    return value;
}

const std::byte* host_place(const WarpContext& warp, MemorySpace space, std::uint64_t address) {
    return space == MemorySpace::shared ? warp.block->shared + address : reinterpret_cast<const std::byte*>(address);
}

} // namespace

// Lanes whose store changes nothing.
std::uint32_t BlockCheck::same_value(const WarpContext& warp, const Op& op, const OpPlan& plan, const CheckedAccess& access) const {
    if (access.space == MemorySpace::local || plan.bytes > 8) return 0;
    std::uint32_t same = 0;
    each_lane(access.mask, [&](unsigned lane) {
        for (std::uint32_t e = 0; e < plan.elements; ++e) {
            const std::uint64_t value = store_value(warp, op, plan.bytes, e, lane);
            if (std::memcmp(host_place(warp, access.space, access.address[lane]) + std::size_t{e} * plan.bytes, &value, plan.bytes) != 0)
                return;
        }
        same |= 1u << lane;
    });
    return same;
}

// Two lanes of one store at one address: different values are a race, equal ones are one store.
void BlockCheck::check_same_store(const WarpContext& warp, const Op& op, const OpPlan& plan, const CheckedAccess& access,
                                  std::uint32_t& same) {
    if (plan.bytes > 8) return;
    for (std::uint32_t rest = access.mask & (access.mask - 1); rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        for (std::uint32_t before = access.mask & ((1u << lane) - 1); before != 0; before &= before - 1) {
            const auto other = static_cast<unsigned>(std::countr_zero(before));
            if (access.address[other] != access.address[lane]) continue;
            bool equal = true;
            for (std::uint32_t e = 0; e < plan.elements; ++e)
                equal = equal && store_value(warp, op, plan.bytes, e, lane) == store_value(warp, op, plan.bytes, e, other);
            same |= 1u << lane;
            if (!equal && !plan.strong && !launch_.known(CheckKind::race, op.index, op.index)) {
                CheckReport report = launch_.begin(CheckKind::race, site(warp, op.index, lane), access_text(access.kind, access.bytes));
                report.other = launch_.access(site(warp, op.index, other), report.access.what);
                report.address = access.address[lane];
                report.object = object_around(access, lane);
                report.message = "lanes of one warp write different values to one address with one store";
                const RaceSide side{op.index, true};
                const Race race{side, side, true, false, true, warps_.size() == 1, access.space == MemorySpace::shared, false};
                report.advice = race_remedy(race, race_kind(race, launch_.dataflow()), launch_.dataflow());
                launch_.report(std::move(report), op.index, op.index);
            }
            break;
        }
    }
}

void BlockCheck::store(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask) {
    use_undefined(warp, op, plan.address, mask, "an address", false);
    std::uint32_t barred = 0;
    by_space(warp, op, plan, mask, AccessKind::store, [&](CheckedAccess& access) {
        const std::uint32_t fine = allowed(warp, op, plan.address, access);
        barred |= access.mask & ~fine;
        access.mask = fine;
        if (fine == 0) return;
        if (access.space == MemorySpace::global || access.space == MemorySpace::shared) {
            std::uint32_t same = same_value(warp, op, plan, access);
            check_same_store(warp, op, plan, access, same);
            touch(warp, op, access, same, plan.strong ? touch_strong : 0);
            if (plan.strong) synchronise(warp, plan, access, false, true);
        }
        stored(warp, op, plan, access);
    });
    if ((mask & ~barred) != 0) plan.original(warp, op, mask & ~barred);
}

// A copy of something uninitialised makes memory uninitialised; what was computed from such is used here.
void BlockCheck::stored(WarpContext& warp, const Op& op, const OpPlan& plan, const CheckedAccess& access) {
    FrameShadow& frame = shadow(warp);
    for (std::uint32_t e = 0; e < plan.elements; ++e) {
        const PlanValue value = e < plan.sources ? launch_.plans().sources(plan)[e] : PlanValue{};
        const std::uint32_t undefined = undefined_lanes(frame, value) & access.mask;
        if (undefined != 0) use_undefined(warp, op, value, access.mask, "a value that is stored", true);
        each_lane(access.mask, [&](unsigned lane) {
            const bool known = (undefined >> lane & 1u) == 0 || origin_of(frame, value, lane).computed;
            set_written(warp, access.space, lane, access.address[lane] + std::uint64_t{e} * plan.bytes, plan.bytes, known);
        });
    }
}

void BlockCheck::atomic(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask) {
    use_undefined(warp, op, plan.address, mask, "an address", false);
    for (unsigned i = 0; i < plan.sources; ++i)
        use_undefined(warp, op, launch_.plans().sources(plan)[i], mask, "the operand of an atomic", false);
    std::uint32_t barred = 0;
    const OpInfo& info = launch_.program().ops[op.index];
    const bool exchange = info.function->instructions[info.instruction].has("exch");
    by_space(warp, op, plan, mask, AccessKind::atomic, [&](CheckedAccess& access) {
        const std::uint32_t fine = allowed(warp, op, plan.address, access);
        barred |= access.mask & ~fine;
        access.mask = fine;
        if (fine == 0) return;
        touch(warp, op, access, 0, touch_strong | touch_atomic);
        synchronise(warp, plan, access, true, true);
        each_lane(access.mask, [&](unsigned lane) {
            if (!exchange && written(warp, access.space, lane, access.address[lane], access.bytes) == 0)
                report_unwritten(warp, op, access, 1u << lane);
            set_written(warp, access.space, lane, access.address[lane], access.bytes, true);
        });
    });
    if ((mask & ~barred) != 0) plan.original(warp, op, mask & ~barred);
    if (!plan.has_result) return;
    set_defined(shadow(warp), plan, mask);
    look_up(warp, shadow(warp), plan, mask & ~barred);
}

// .param space of functions lies in the frame: arguments may be left undefined where they do not matter.
void BlockCheck::frame_access(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask) {
    plan.original(warp, op, mask);
    FrameShadow& frame = shadow(warp);
    if (plan.act == Act::frame_load) {
        set_defined(frame, plan, mask);
        return look_up(warp, frame, plan, mask);
    }
    each_lane(mask, [&](unsigned lane) {
        set_written(warp, MemorySpace::local, lane, warp.local_base + static_cast<std::uint64_t>(op.imm),
                    std::uint64_t{plan.bytes} * plan.elements, true);
    });
}

} // namespace apod::emu
