#include "emu/check/clocks.hpp"

#include <algorithm>
#include <bit>

namespace apod::emu {

namespace {

constexpr std::size_t most_parents = 16;

template<class F> void each_lane(std::uint32_t mask, F f) {
    for (; mask != 0; mask &= mask - 1) f(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

void raise(std::uint32_t& tick, std::uint32_t to) { tick = std::max(tick, to); }

void add_parent(std::vector<Clock>& parents, const Clock& clock) {
    if (clock == nullptr || std::find(parents.rbegin(), parents.rend(), clock) != parents.rend()) return;
    if (parents.size() >= most_parents) {
        auto all = std::make_shared<ClockNode>();
        all->parents.swap(parents);
        parents.push_back(std::move(all));
    }
    parents.push_back(clock);
}

// Nearest first, latest first: what correct programs ask for is found at once.
bool found_behind(const ClockNode& start, std::uint64_t block, std::uint32_t thread, std::uint32_t tick) {
    static thread_local std::uint32_t search = 0;
    ++search;
    std::vector<const ClockNode*> work{&start};
    for (std::size_t at = 0; at < work.size(); ++at) {
        const ClockNode& node = *work[at];
        if (node.block == block && thread < node.ticks.size() && node.ticks[thread] >= tick) return true;
        for (auto parent = node.parents.rbegin(); parent != node.parents.rend(); ++parent) {
            if ((*parent)->visited == search) continue;
            (*parent)->visited = search;
            work.push_back(parent->get());
        }
    }
    return false;
}

} // namespace

ClockNode::~ClockNode() {
    std::vector<Clock> work = std::move(parents);
    while (!work.empty()) {
        const Clock node = std::move(work.back());
        work.pop_back();
        if (node.use_count() != 1) continue;
        for (Clock& parent : node->parents) work.push_back(std::move(parent));
        node->parents.clear();
    }
}

void BlockClocks::start(std::uint64_t block, std::uint32_t threads) {
    block_ = block;
    rows_.assign(threads, Row{});
    for (std::uint32_t t = 0; t < threads; ++t) rows_[t][t % lanes] = 1;
    bases_.assign(threads, std::make_shared<ClockNode>(block, std::vector<std::uint32_t>(threads, 0), std::vector<Clock>()));
    memories_.clear();
    memories_.resize(threads);
}

bool BlockClocks::knows(std::uint32_t thread, std::uint64_t block, std::uint32_t other, std::uint32_t tick) const {
    const ClockNode& base = *bases_[thread];
    if (block == block_) {
        if (thread == other) return true;
        if (thread / lanes == other / lanes && rows_[thread][other % lanes] >= tick) return true;
        if (base.ticks[other] >= tick) return true;
    }
    return !base.parents.empty() && found_behind(base, block, other, tick);
}

void BlockClocks::sync_warp(std::uint32_t warp, std::uint32_t mask) {
    if (mask == 0) return;
    Row joined{};
    const std::uint32_t first = warp * lanes + static_cast<std::uint32_t>(std::countr_zero(mask));
    bool one_base = true;
    each_lane(mask, [&](std::uint32_t lane) {
        take_pending(warp * lanes + lane);
        const Row& row = rows_[warp * lanes + lane];
        for (unsigned m = 0; m < lanes; ++m) raise(joined[m], row[m]);
        one_base = one_base && bases_[warp * lanes + lane] == bases_[first];
    });
    Clock base = bases_[first];
    if (!one_base) {
        auto node = std::make_shared<ClockNode>(block_, base->ticks, base->parents);
        each_lane(mask, [&](std::uint32_t lane) {
            const Clock& other = bases_[warp * lanes + lane];
            if (other == base) return;
            for (std::size_t t = 0; t < node->ticks.size(); ++t) raise(node->ticks[t], other->ticks[t]);
            for (const Clock& parent : other->parents) add_parent(node->parents, parent);
        });
        base = std::move(node);
    }
    each_lane(mask, [&](std::uint32_t lane) {
        rows_[warp * lanes + lane] = joined;
        bases_[warp * lanes + lane] = base;
        step(warp * lanes + lane);
    });
}

void BlockClocks::arrive(BarrierClock& barrier, std::uint32_t warp, std::uint32_t mask) {
    if (barrier.ticks.empty()) barrier.ticks.assign(rows_.size(), 0);
    each_lane(mask, [&](std::uint32_t lane) {
        const std::uint32_t thread = warp * lanes + lane;
        take_pending(thread);
        const Clock& base = bases_[thread];
        if (base != barrier.last) {
            for (std::size_t t = 0; t < barrier.ticks.size(); ++t) raise(barrier.ticks[t], base->ticks[t]);
            for (const Clock& parent : base->parents) add_parent(barrier.parents, parent);
            barrier.last = base;
        }
        const std::uint32_t end = std::min<std::uint32_t>(lanes, static_cast<std::uint32_t>(rows_.size()) - warp * lanes);
        for (std::uint32_t m = 0; m < end; ++m) raise(barrier.ticks[warp * lanes + m], rows_[thread][m]);
        step(thread);
    });
}

void BlockClocks::add_left(BarrierClock& barrier, std::uint32_t warp, std::uint32_t mask) const {
    if (barrier.ticks.empty()) return;
    each_lane(mask, [&](std::uint32_t lane) { raise(barrier.ticks[warp * lanes + lane], now(warp * lanes + lane)); });
}

Clock BlockClocks::complete(BarrierClock& barrier) const {
    auto node = std::make_shared<ClockNode>(block_, std::move(barrier.ticks), std::move(barrier.parents));
    barrier = {};
    return node;
}

void BlockClocks::pass(const Clock& clock, std::uint32_t warp, std::uint32_t mask) {
    each_lane(mask, [&](std::uint32_t lane) {
        const std::uint32_t thread = warp * lanes + lane;
        const std::uint32_t end = std::min<std::uint32_t>(lanes, static_cast<std::uint32_t>(rows_.size()) - warp * lanes);
        for (std::uint32_t m = 0; m < end; ++m) raise(rows_[thread][m], clock->ticks[warp * lanes + m]);
        bases_[thread] = clock;
    });
}

BlockClocks::Memory& BlockClocks::memory(std::uint32_t thread) {
    if (memories_[thread] == nullptr) memories_[thread] = std::make_unique<Memory>();
    return *memories_[thread];
}

BlockClocks::Snapshot BlockClocks::snapshot(std::uint32_t thread) const { return {bases_[thread], rows_[thread], nullptr}; }

Clock BlockClocks::made(std::uint32_t thread, Snapshot& snapshot) const {
    if (snapshot.made != nullptr || snapshot.base == nullptr) return snapshot.made;
    auto node = std::make_shared<ClockNode>(block_, snapshot.base->ticks, snapshot.base->parents);
    const std::uint32_t first = thread / lanes * lanes;
    for (std::uint32_t m = 0; m < lanes && first + m < node->ticks.size(); ++m) raise(node->ticks[first + m], snapshot.row[m]);
    return snapshot.made = std::move(node);
}

void BlockClocks::acquire(std::uint32_t thread, const std::vector<Clock>& clocks) {
    const Clock& base = bases_[thread];
    std::vector<Clock> parents = base->parents;
    for (const Clock& clock : clocks) add_parent(parents, clock);
    if (parents.size() == base->parents.size() && parents == base->parents) return;
    bases_[thread] = std::make_shared<ClockNode>(block_, base->ticks, std::move(parents));
}

void BlockClocks::take_pending(std::uint32_t thread) {
    if (memories_[thread] == nullptr || memories_[thread]->pending.empty()) return;
    acquire(thread, memories_[thread]->pending);
    memories_[thread]->pending.clear();
}

void BlockClocks::fence(std::uint32_t warp, std::uint32_t mask, FenceScope scope) {
    each_lane(mask, [&](std::uint32_t lane) {
        const std::uint32_t thread = warp * lanes + lane;
        take_pending(thread);
        Memory& own = memory(thread);
        if (scope == FenceScope::device) own.device = snapshot(thread);
        own.block = snapshot(thread);
        step(thread);
    });
}

void BlockClocks::publish(std::uint32_t thread, SyncPlace& place, bool updates, bool releases, FenceScope scope) {
    Clock device, block;
    if (releases) {
        Snapshot here = snapshot(thread);
        (scope == FenceScope::device ? device : block) = made(thread, here);
        step(thread);
    } else if (memories_[thread] != nullptr) {
        device = made(thread, memories_[thread]->device);
        block = made(thread, memories_[thread]->block);
    }
    const auto joined = [](const Clock& old, Clock fresh) -> Clock {
        if (old == nullptr || fresh == nullptr || old == fresh) return fresh != nullptr ? fresh : old;
        auto both = std::make_shared<ClockNode>();
        both->parents = {old, std::move(fresh)};
        return both;
    };
    const bool keep_block = updates && place.of_block == block_;
    place.device = updates ? joined(place.device, std::move(device)) : std::move(device);
    place.block = keep_block ? joined(place.block, std::move(block)) : std::move(block);
    place.of_block = block_;
}

void BlockClocks::observe(std::uint32_t thread, const SyncPlace& place, bool acquires) {
    const bool own = place.of_block == block_;
    if (place.device == nullptr && (!own || place.block == nullptr)) return;
    if (acquires) {
        acquire(thread, own ? std::vector<Clock>{place.device, place.block} : std::vector<Clock>{place.device});
        return;
    }
    std::vector<Clock>& pending = memory(thread).pending;
    add_parent(pending, place.device);
    if (own) add_parent(pending, place.block);
}

} // namespace apod::emu
