#include "emu/lower/slots.hpp"

#include <algorithm>
#include <array>

namespace apod::emu {

SlotClass slot_class(ptx::Type type) {
    if (type == ptx::Type::pred) return SlotClass::predicate;
    const std::uint32_t bits = ptx::type_bits(type);
    if (bits > 64) return SlotClass::quad;
    return bits > 32 ? SlotClass::wide : SlotClass::narrow;
}

namespace {

// The first and last instruction at which a register is live or touched; position 2*i is before instruction i, 2*i+1 after it.
struct Interval {
    std::uint32_t reg = 0;
    std::uint32_t begin = ptx::none;
    std::uint32_t end = 0;

    void cover(std::uint32_t position) {
        begin = std::min(begin, position);
        end = std::max(end, position);
    }
};

std::vector<Interval> live_intervals(const ptx::Function& function, const ptx::ControlFlow& flow, const ptx::Liveness& live) {
    std::vector<Interval> intervals(function.registers.size());
    for (std::uint32_t r = 0; r < intervals.size(); ++r) intervals[r].reg = r;
    for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
        const ptx::BasicBlock& block = flow.blocks[b];
        for (const std::uint32_t r : live.live_in[b]) intervals[r].cover(2 * block.first);
        for (const std::uint32_t r : live.live_out[b]) intervals[r].cover(2 * block.last - 1);
        for (std::uint32_t i = block.first; i < block.last; ++i) {
            const ptx::Effects effects = ptx::effects(function.instructions[i]);
            for (const std::uint32_t r : effects.reads) intervals[r].cover(2 * i);
            // A written register takes its slot before the sources give theirs up: a handler may write one result before it has read all.
            for (const std::uint32_t r : effects.writes) {
                intervals[r].cover(2 * i + 1);
                if (effects.writes.size() > 1) intervals[r].cover(2 * i);
            }
        }
    }
    std::erase_if(intervals, [](const Interval& i) { return i.begin == ptx::none; });
    std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    return intervals;
}

constexpr std::array<std::uint32_t, 4> slot_size = {1, slot32_bytes, slot64_bytes, slot128_bytes};

struct Active {
    std::uint32_t end = 0;
    std::uint32_t slot = 0;
    SlotClass kind = SlotClass::narrow;
    friend bool operator>(const Active& a, const Active& b) { return a.end > b.end; }
};

} // namespace

SlotMap allocate_slots(const ptx::Function& function, const ptx::ControlFlow& flow, const ptx::Liveness& live, std::uint32_t reserved_bytes,
                       std::uint32_t reserved_predicates) {
    SlotMap map;
    map.slot.assign(function.registers.size(), 0);
    map.register_bytes = reserved_bytes;
    map.predicates = reserved_predicates;
    std::array<std::vector<std::uint32_t>, 4> free_slots;
    std::vector<Active> active; // min-heap by end
    for (const Interval& interval : live_intervals(function, flow, live)) {
        while (!active.empty() && active.front().end < interval.begin) {
            std::pop_heap(active.begin(), active.end(), std::greater<>());
            free_slots[static_cast<std::size_t>(active.back().kind)].push_back(active.back().slot);
            active.pop_back();
        }
        const SlotClass kind = slot_class(function.registers[interval.reg].type);
        std::vector<std::uint32_t>& pool = free_slots[static_cast<std::size_t>(kind)];
        std::uint32_t slot = 0;
        if (!pool.empty()) {
            slot = pool.back();
            pool.pop_back();
        } else {
            std::uint32_t& top = kind == SlotClass::predicate ? map.predicates : map.register_bytes;
            slot = top;
            top += slot_size[static_cast<std::size_t>(kind)];
        }
        map.slot[interval.reg] = slot;
        active.push_back({interval.end, slot, kind});
        std::push_heap(active.begin(), active.end(), std::greater<>());
    }
    return map;
}

} // namespace apod::emu
