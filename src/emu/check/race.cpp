// Accesses of different threads to the same memory, of which one writes, and which nothing orders.
#include "emu/check/block_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace apod::emu {

std::string access_text(AccessKind kind, std::uint32_t bytes); // access.cpp

void BlockCheck::touch(const WarpContext& warp, const Op& op, const CheckedAccess& access, std::uint32_t same, std::uint8_t flags) {
    if (access.space != MemorySpace::global && access.space != MemorySpace::shared) return;
    for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        TouchKind kind = access.kind == AccessKind::load ? TouchKind::read : TouchKind::write;
        if ((same >> lane & 1u) != 0) kind = TouchKind::same_value;
        touch_lane(warp, op, access, lane, kind, flags, clocks_.now(warp.index * lanes + lane));
    }
}

void BlockCheck::touch_lane(const WarpContext& warp, const Op& op, const CheckedAccess& access, unsigned lane, TouchKind kind,
                            std::uint8_t flags, std::uint32_t tick) {
    std::uint64_t address = access.address[lane];
    Touch touch{tick, static_cast<std::uint32_t>(block_), op.index, static_cast<std::uint16_t>(warp.index * lanes + lane), 0, flags};
    for (std::uint32_t left = access.bytes; left != 0;) {
        const auto in_word = static_cast<std::uint32_t>(address % 4);
        const std::uint32_t count = std::min(left, 4 - in_word);
        touch.bytes = static_cast<std::uint8_t>(((1u << count) - 1) << in_word);
        const auto visit = [&](TouchedWord& word, std::uint8_t bytes) {
            Touch part = touch;
            part.bytes = bytes;
            touch_word(warp, word, part, kind, access, lane);
        };
        if (access.space == MemorySpace::shared)
            shared_touched_.visit(static_cast<std::size_t>(address / 4), touch.bytes, visit);
        else
            launch_.touched().visit(address - in_word, touch.bytes, visit);
        address += count;
        left -= count;
    }
}

bool BlockCheck::ordered(const Touch& before, const Touch& now) const {
    std::uint32_t tick = before.tick;
    if ((before.flags & touch_async) != 0) {
        tick = async_groups_[before.tick - 1].done;
        if (tick == 0) return false; // still under way, for its own thread too
    }
    return clocks_.knows(now.thread, before.block, before.thread, tick);
}

// The blocks of a cluster order each other by barriers of their own, which are not followed.
bool BlockCheck::in_cluster(const WarpContext& warp, std::uint32_t block) {
    if (warp.block->cluster == nullptr) return false;
    for (std::uint32_t rank = 0; rank < warp.block->cluster_size; ++rank) {
        const BlockContext* other = warp.block->cluster[rank];
        if (other != nullptr && other->check != nullptr && static_cast<std::uint32_t>(other->check->block_) == block) return true;
    }
    return false;
}

void BlockCheck::touch_word(const WarpContext& warp, TouchedWord& word, const Touch& touch, TouchKind kind, const CheckedAccess& access,
                            unsigned lane) {
    const auto harmless = [&](const Touch& before) {
        if (before.tick == 0 || (before.flags & touch.flags & touch_strong) != 0) return true;
        const bool pending = (before.flags & touch_async) != 0;
        if (before.thread == touch.thread && before.block == touch.block && !pending) return true;
        return ordered(before, touch) || (before.block != touch.block && in_cluster(warp, before.block));
    };
    if (kind != TouchKind::same_value && !harmless(word.write)) conflict(word.write, true, touch, kind, access, lane);
    if (kind == TouchKind::write) {
        for (const Touch& read : word.reads)
            if (!harmless(read)) conflict(read, (read.flags & touch_same_value) != 0, touch, kind, access, lane);
        word.write = touch;
        word.reads = {};
        return;
    }
    Touch read = touch;
    if (kind == TouchKind::same_value) read.flags |= touch_same_value;
    // Of readers, two that are not ordered before this one tell most.
    auto& [first, second] = word.reads;
    const auto replaceable = [&](const Touch& old) {
        return old.tick == 0 || (old.thread == touch.thread && old.block == touch.block) || ordered(old, touch);
    };
    if (replaceable(first))
        first = read;
    else
        second = read;
}

namespace {

const char* missing(const Touch& before, const Touch& now, bool one_warp) {
    if (before.block != now.block)
        return "blocks run in any order: hand data on with __threadfence() and a flag or counter, use atomics, or split the kernel";
    if (before.thread / lanes == now.thread / lanes && !one_warp)
        return "put __syncthreads() between the two; __syncwarp() is enough where the lanes of one warp alone meet, which need not run in "
               "lockstep";
    if (before.thread / lanes == now.thread / lanes)
        return "the lanes of a warp need not run in lockstep: put __syncwarp() between the two";
    return "put __syncthreads() between the two, where all threads of the block reach it";
}

std::string verb(const Touch& touch, bool writes) {
    if ((touch.flags & touch_atomic) != 0) return "atomic update";
    if ((touch.flags & touch_async) != 0) return "write by cp.async";
    return writes ? "write" : "read";
}

} // namespace

void BlockCheck::conflict(const Touch& before, bool before_writes, const Touch& now, TouchKind kind, const CheckedAccess& access,
                          unsigned lane) {
    const bool pending = (before.flags & touch_async) != 0 && async_groups_[before.tick - 1].done == 0;
    const CheckKind what = pending ? CheckKind::async_copy : CheckKind::race;
    if (launch_.known(what, std::min(before.op, now.op), std::max(before.op, now.op))) return;
    const std::string now_text = verb(now, kind != TouchKind::read);
    const std::string before_text = verb(before, before_writes);
    CheckReport report = launch_.begin(what, {now.op, now.block, now.thread}, fmt::format("{} of {} bytes", now_text, access.bytes));
    report.other = launch_.access({before.op, before.block, before.thread}, before_text);
    report.address = access.address[lane];
    report.object = object_around(access, lane);
    const char* space = access.space == MemorySpace::shared ? "shared" : "global";
    if (pending) {
        report.message = fmt::format("{} of {} memory that a cp.async copy may still be writing", now_text, space);
        report.advice = "wait for the copy (cp.async.wait_group, __pipeline_wait_prior), then synchronise the threads";
    } else {
        const bool in_warp = before.block == now.block && before.thread / lanes == now.thread / lanes;
        const char* whose = before.block != now.block ? "a thread of another block"
                            : in_warp                 ? "another lane of the warp"
                                                      : "another thread of the block";
        report.message = fmt::format("race in {} memory: {} and {} by {}, in no order", space, now_text, before_text, whose);
        report.advice = missing(before, now, warps_.size() == 1);
    }
    launch_.report(std::move(report), std::min(before.op, now.op), std::max(before.op, now.op));
}

// Strong accesses hand on what was released, see clocks.hpp. An atomic is taken to acquire: locks and tickets are mostly written so.
void BlockCheck::synchronise(const WarpContext& warp, const OpPlan& plan, const CheckedAccess& access, bool reads, bool writes) {
    const bool shared = access.space == MemorySpace::shared;
    if (!shared && access.space != MemorySpace::global) return;
    for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint32_t thread = warp.index * lanes + lane;
        const std::uint64_t address = access.address[lane];
        SyncPlace* place = nullptr;
        if (!shared)
            place = launch_.find_sync_place(address);
        else if (const auto found = shared_places_.find(address); found != shared_places_.end())
            place = &found->second;
        if (place == nullptr && (!writes || (!plan.releases && !clocks_.fenced(thread)))) continue;
        if (place == nullptr) place = shared ? &shared_places_[address] : &launch_.sync_place(address);
        if (reads) clocks_.observe(thread, *place, plan.acquires || writes);
        if (writes) clocks_.publish(thread, *place, reads, plan.releases, plan.scope);
    }
}

} // namespace apod::emu
