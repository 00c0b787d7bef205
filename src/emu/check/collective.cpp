// Copies beside the threads, mbarriers, and accesses that a warp makes as a whole.
#include "emu/check/block_check.hpp"
#include "emu/matrix_shape.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace apod::emu {

namespace {

template<class F> void each_lane(std::uint32_t mask, F f) {
    for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

std::uint32_t word_at(const WarpContext& warp, OperandRef ref, unsigned lane) {
    std::uint32_t value = 0;
    std::memcpy(&value, warp.region[ref & region_mask] + (ref & ~region_mask) + std::size_t{lane} * 4, 4);
    return value;
}

std::int64_t second_offset(const WarpContext& warp, const Op& op) { return static_cast<std::int32_t>(warp.block->extra[op.extra]); }

} // namespace

std::uint32_t BlockCheck::async_group(std::uint32_t thread) {
    AsyncThread& own = async_threads_[thread];
    if (own.open == 0) {
        async_groups_.push_back({thread, 0});
        own.open = static_cast<std::uint32_t>(async_groups_.size());
    }
    return own.open;
}

void BlockCheck::async_commit(const WarpContext& warp, std::uint32_t mask) {
    each_lane(mask, [&](unsigned lane) {
        AsyncThread& own = async_threads_[warp.index * lanes + lane];
        own.committed.push_back(own.open);
        own.open = 0;
    });
}

void BlockCheck::async_wait(const WarpContext& warp, std::uint32_t mask, std::int32_t under_way) {
    each_lane(mask, [&](unsigned lane) {
        const std::uint32_t thread = warp.index * lanes + lane;
        AsyncThread& own = async_threads_[thread];
        const auto finish = [&](std::uint32_t group) {
            if (group != 0) async_groups_[group - 1].done = clocks_.now(thread);
        };
        if (under_way < 0) { // wait_all: what was not committed too
            finish(own.open);
            own.open = 0;
        }
        const auto keep = static_cast<std::size_t>(std::max(under_way, 0));
        while (own.committed.size() > keep) {
            finish(own.committed.front());
            own.committed.erase(own.committed.begin());
        }
    });
}

void BlockCheck::copy_async(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask) {
    CheckedAccess to, from;
    to.space = MemorySpace::shared;
    to.kind = AccessKind::store;
    to.bytes = from.bytes = plan.bytes;
    to.mask = mask;
    addresses(warp, op.a, op.imm, (op.flags & flag_address32) != 0, to);
    addresses(warp, op.b, second_offset(warp, op), false, from);
    each_lane(mask, [&](unsigned lane) { from.mask |= word_at(warp, op.c, lane) != 0 ? 1u << lane : 0; });
    use_undefined(warp, op, plan.address, mask, "an address", false);
    use_undefined(warp, op, plan.second_address, from.mask, "an address", false);
    to.mask = allowed(warp, op, plan.address, to);
    from.mask &= to.mask;
    const std::uint32_t readable = allowed(warp, op, plan.second_address, from);
    to.mask &= ~(from.mask & ~readable);
    from.mask = readable;
    touch(warp, op, from, 0, 0);
    each_lane(from.mask, [&](unsigned lane) {
        if (written(warp, MemorySpace::global, lane, from.address[lane], from.bytes) == 0) report_unwritten(warp, op, from, 1u << lane);
    });
    each_lane(to.mask, [&](unsigned lane) {
        const std::uint32_t group = async_group(warp.index * lanes + lane);
        touch_lane(warp, op, to, lane, TouchKind::write, touch_async, group);
        set_written(warp, MemorySpace::shared, lane, to.address[lane], to.bytes, true);
    });
    if (to.mask != 0) plan.original(warp, op, to.mask);
}

// The lane that issues it is taken for the one that copies; its mbarrier hands the order on.
void BlockCheck::bulk_copy(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask) {
    std::uint32_t fine = 0;
    each_lane(mask, [&](unsigned lane) {
        CheckedAccess shared, global;
        shared.mask = global.mask = 1u << lane;
        shared.bytes = global.bytes = word_at(warp, op.c, lane);
        shared.space = MemorySpace::shared;
        shared.kind = plan.is_store ? AccessKind::load : AccessKind::store;
        global.kind = plan.is_store ? AccessKind::store : AccessKind::load;
        addresses(warp, op.a, op.imm, (op.flags & flag_address32) != 0, shared);
        addresses(warp, op.b, second_offset(warp, op), false, global);
        if (distributed(warp, shared, shared.mask) != 0) {
            fine |= 1u << lane;
            return;
        }
        if (allowed(warp, op, plan.address, shared) == 0 || allowed(warp, op, plan.second_address, global) == 0) return;
        fine |= 1u << lane;
        touch(warp, op, shared, 0, 0);
        touch(warp, op, global, 0, 0);
        const CheckedAccess& target = plan.is_store ? global : shared;
        set_written(warp, target.space, lane, target.address[lane], target.bytes, true);
        const std::uint32_t* words = warp.block->extra + op.extra; // as lanes/async_copy.cpp has them
        const OperandRef barrier = words[2];
        if (barrier == 0xffffffffu) return;
        const std::uint64_t at = word_at(warp, barrier, words[4] != 0 ? lane : 2 * lane) + words[3]; // of a 64-bit address the lower word
        clocks_.publish(warp.index * lanes + lane, shared_places_[at], true, true, FenceScope::block);
    });
    if (fine != 0) plan.original(warp, op, fine);
}

// Each element of the matrix at its lane. A tile may be filled in part: only one of which nothing is written is said to be uninitialised.
void BlockCheck::tile(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask) {
    const std::uint32_t* words = warp.block->extra + op.extra;
    Fragment fragment;
    fragment.part = static_cast<MatrixPart>(words[0] & 0xff);
    fragment.type = static_cast<MatrixType>(words[0] >> 8 & 0xff);
    fragment.shape = {static_cast<std::uint16_t>(words[1] & 0xffff), static_cast<std::uint16_t>(words[1] >> 16),
                      static_cast<std::uint16_t>(words[2] & 0xffff)};
    fragment.registers = words[2] >> 16;
    CheckedAccess access;
    addresses(warp, op.a, op.imm, (op.flags & flag_address32) != 0, access);
    const auto first = static_cast<unsigned>(std::countr_zero(mask));
    const std::uint64_t window = access.address[first] & window_mask;
    access.space = plan.generic ? (window == shared_window ? MemorySpace::shared : MemorySpace::global) : plan.space;
    access.kind = plan.is_store ? AccessKind::store : AccessKind::load;
    const std::uint64_t base = access.address[first] & ~window_mask;
    const std::uint64_t stride = word_at(warp, words[4], first);
    const std::uint32_t bits = matrix_bits(fragment.type);
    access.bytes = std::max(bits / 8, 1u);
    std::uint32_t any_written = 0;
    bool fine = true;
    for (std::uint32_t reg = 0; fine && reg < fragment.needed(); ++reg)
        for (std::uint32_t sub = 0; fine && sub < fragment.per_register(); ++sub) {
            for (unsigned lane = 0; lane < lanes; ++lane) {
                const ElementPlace place = element_place(fragment, lane, reg, sub);
                const std::uint64_t element = words[3] != 0 ? place.row * stride + place.column : place.column * stride + place.row;
                access.address[lane] = base + element * bits / 8;
            }
            access.mask = mask;
            fine = allowed(warp, op, plan.address, access) == mask;
            if (!fine) break;
            touch(warp, op, access, 0, 0);
            each_lane(mask, [&](unsigned lane) {
                any_written |= written(warp, access.space, lane, access.address[lane], access.bytes);
                if (plan.is_store) set_written(warp, access.space, lane, access.address[lane], access.bytes, true);
            });
        }
    set_defined(shadow(warp), plan, mask);
    if (!fine) return;
    if (!plan.is_store && any_written == 0) report_unwritten(warp, op, access, 1u << first);
    plan.original(warp, op, mask);
}

void BlockCheck::rows(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask) {
    CheckedAccess access;
    access.space = MemorySpace::shared;
    access.kind = plan.is_store ? AccessKind::store : AccessKind::load;
    access.bytes = 16;
    access.mask = mask & (op.count >= 4 ? 0xffffffffu : (1u << (8 * op.count)) - 1);
    addresses(warp, op.a, op.imm, (op.flags & flag_address32) != 0, access);
    for (std::uint64_t& address : access.address)
        if ((address & window_mask) == shared_window) address &= ~window_mask;
    use_undefined(warp, op, plan.address, access.mask, "an address", false);
    set_defined(shadow(warp), plan, mask);
    if (allowed(warp, op, plan.address, access) != access.mask) return;
    touch(warp, op, access, 0, 0);
    std::uint32_t any_written = 0;
    each_lane(access.mask, [&](unsigned lane) {
        any_written |= written(warp, access.space, lane, access.address[lane], 16);
        if (plan.is_store) set_written(warp, access.space, lane, access.address[lane], 16, true);
    });
    if (!plan.is_store && any_written == 0) report_unwritten(warp, op, access, access.mask & (0u - access.mask));
    plan.original(warp, op, mask);
}

// Arrivals release, waits that succeed acquire. To make or end one is a write like any other.
void BlockCheck::mbarrier(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask) {
    CheckedAccess access;
    access.space = MemorySpace::shared;
    access.kind = plan.is_store ? AccessKind::store : AccessKind::atomic;
    access.bytes = 8;
    access.mask = mask;
    addresses(warp, op.a, op.imm, (op.flags & flag_address32) != 0, access);
    for (std::uint64_t& address : access.address)
        if ((address & window_mask) == shared_window) address &= ~window_mask;
    use_undefined(warp, op, plan.address, mask, "an address", false);
    access.mask = allowed(warp, op, plan.address, access);
    set_defined(shadow(warp), plan, mask);
    if (access.mask == 0) return;
    touch(warp, op, access, 0, plan.is_store ? 0 : touch_strong | touch_atomic);
    if (plan.act == Act::async_arrive) async_wait(warp, access.mask, -1);
    each_lane(access.mask, [&](unsigned lane) {
        if (plan.is_store) {
            set_written(warp, access.space, lane, access.address[lane], 8, true);
            shared_places_.erase(access.address[lane]);
        } else if (written(warp, access.space, lane, access.address[lane], 8) == 0) {
            report_unwritten(warp, op, access, 1u << lane);
        }
        if (plan.releases || plan.act == Act::async_arrive)
            clocks_.publish(warp.index * lanes + lane, shared_places_[access.address[lane]], true, true, FenceScope::block);
    });
    plan.original(warp, op, access.mask);
    if (!plan.acquires) return;
    each_lane(access.mask & warp.predicates[op.dst], [&](unsigned lane) {
        if (const auto found = shared_places_.find(access.address[lane]); found != shared_places_.end())
            clocks_.observe(warp.index * lanes + lane, found->second, true);
    });
}

} // namespace apod::emu
