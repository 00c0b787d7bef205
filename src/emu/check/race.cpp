// Accesses of different threads to the same memory, of which one writes, and which nothing orders.
#include "emu/check/block_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace apod::emu {

void BlockCheck::touch(const WarpContext& warp, const Op& op, const CheckedAccess& access, std::uint32_t same, std::uint8_t flags) {
    if (access.space != MemorySpace::global && access.space != MemorySpace::shared) return;
    const std::uint8_t round = rounds_[std::size_t{op.index} * warps_.size() + warp.index]++;
    flags = static_cast<std::uint8_t>(flags | round << touch_round_shift);
    for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        if (access.kind != AccessKind::load) last_write_[warp.index * lanes + lane] = op.index + 1;
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
    const bool writes = kind == TouchKind::same_value;
    if (writes) read.flags |= touch_same_value;
    for (const Touch& other : word.reads)
        if (((other.flags & touch_same_value) != 0) != writes && !harmless(other)) hazard(other, !writes, touch, access, lane);
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

std::string verb(const Touch& touch, bool writes) {
    if ((touch.flags & touch_atomic) != 0) return "atomic update";
    if ((touch.flags & touch_async) != 0) return "write by cp.async";
    return writes ? "write" : "read";
}

RaceSide side_of(const Touch& touch, bool writes) {
    return {touch.op, writes, (touch.flags & touch_atomic) != 0, static_cast<std::uint8_t>(touch.flags >> touch_round_shift)};
}

// In what the races of a pair of ops may differ.
std::uint32_t manner_of(const Race& race) {
    return (race.before.writes ? 1u : 0u) | (race.other_blocks ? 2u : 0u) | (race.in_warp ? 4u : 0u) |
           (race.before.round == race.now.round ? 8u : 0u) | (race.before.op > race.now.op ? 16u : 0u);
}

} // namespace

Race BlockCheck::race_of(const Touch& before, bool before_writes, const Touch& now, bool now_writes, MemorySpace space) const {
    Race race;
    race.before = side_of(before, before_writes);
    race.now = side_of(now, now_writes);
    race.other_blocks = before.block != now.block;
    race.in_warp = !race.other_blocks && before.thread / lanes == now.thread / lanes;
    race.one_warp = warps_.size() == 1;
    race.shared = space == MemorySpace::shared;
    race.many_blocks = launch_.config().grid.count() > 1;
    return race;
}

void BlockCheck::add_lines(Race& race) const {
    const CheckPlace before = launch_.place(race.before.op);
    const CheckPlace now = launch_.place(race.now.op);
    race.same_line = before == now;
    if (before.file != now.file || before.inlined_at != now.inlined_at) return;
    race.before.line = before.line;
    race.now.line = now.line;
}

CheckReport BlockCheck::race_report(const Race& race, RaceKind kind, const Touch& before, const Touch& now, const CheckedAccess& access,
                                    unsigned lane) const {
    const std::string now_text = verb(now, race.now.writes);
    const std::string before_text = verb(before, race.before.writes);
    CheckReport report =
        launch_.begin(CheckKind::race, {now.op, now.block, now.thread}, fmt::format("{} of {} bytes", now_text, access.bytes));
    report.other = launch_.access({before.op, before.block, before.thread}, before_text);
    report.address = access.address[lane];
    report.object = object_around(access, lane);
    const char* whose = race.other_blocks ? "a thread of another block"
                        : race.in_warp    ? "another lane of the warp"
                                          : "another thread of the block";
    report.message =
        fmt::format("race in {} memory: {} and {} by {}, in no order", race.shared ? "shared" : "global", now_text, before_text, whose);
    report.advice = race_remedy(race, kind, launch_.dataflow());
    return report;
}

void BlockCheck::conflict(const Touch& before, bool before_writes, const Touch& now, TouchKind kind, const CheckedAccess& access,
                          unsigned lane) {
    const bool pending = (before.flags & touch_async) != 0 && async_groups_[before.tick - 1].done == 0;
    const std::uint32_t low = std::min(before.op, now.op);
    const std::uint32_t high = std::max(before.op, now.op);
    Race race = race_of(before, before_writes, now, kind != TouchKind::read, access.space);
    if (launch_.known_race(pending ? CheckKind::async_copy : CheckKind::race, low, high, pending ? 0 : manner_of(race))) return;
    add_lines(race);
    const RaceKind what = pending ? RaceKind::statements : race_kind(race, launch_.dataflow());
    CheckReport report = race_report(race, what, before, now, access, lane);
    if (pending) {
        report.kind = CheckKind::async_copy;
        report.message = fmt::format("{} of {} memory that a cp.async copy may still be writing", verb(now, race.now.writes),
                                     race.shared ? "shared" : "global");
        report.advice = "wait for the copy (cp.async.wait_group, __pipeline_wait_prior), then synchronise the threads";
    }
    launch_.report_race(std::move(report), low, high, race_weight(race, what));
}

void BlockCheck::hazard(const Touch& before, bool before_writes, const Touch& now, const CheckedAccess& access, unsigned lane) {
    const std::uint32_t low = std::min(before.op, now.op);
    const std::uint32_t high = std::max(before.op, now.op);
    if (launch_.known_hazard(low, high)) return;
    Race race = race_of(before, before_writes, now, !before_writes, access.space);
    add_lines(race);
    CheckReport report = race_report(race, race_kind(race, launch_.dataflow()), before, now, access, lane);
    report.notes.push_back(
        "the write changed nothing with this data: what it wrote was there already. With other data the read gives one value "
        "or the other");
    launch_.note_hazard(std::move(report), low, high);
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
