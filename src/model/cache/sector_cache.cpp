#include "model/cache/sector_cache.hpp"

#include <algorithm>
#include <bit>

namespace apod::model {

namespace {

std::size_t hash(std::uint64_t line) { return static_cast<std::size_t>((line * 0x9e3779b97f4a7c15u) >> 20); }

} // namespace

// The table starts small: most caches of a launch (one L1 a SM) see few lines.
SectorCache::SectorCache(std::uint64_t lines) : capacity_(std::max<std::uint64_t>(lines, 1)), lines_(1), table_(64, 0) {}

std::size_t SectorCache::place_of(std::uint64_t line) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash(line) & mask;
    while (table_[at] != 0 && lines_[table_[at]].line != line) at = (at + 1) & mask;
    return at;
}

void SectorCache::detach(std::uint32_t slot) {
    Line& line = lines_[slot];
    lines_[line.previous].next = line.next;
    lines_[line.next].previous = line.previous;
}

void SectorCache::make_recent(std::uint32_t slot) {
    Line& line = lines_[slot];
    line.previous = 0;
    line.next = lines_[0].next;
    lines_[line.next].previous = slot;
    lines_[0].next = slot;
}

// Backward-shift deletion keeps probe chains whole without tombstones.
void SectorCache::erase_key(std::uint64_t line) {
    const std::size_t mask = table_.size() - 1;
    std::size_t hole = place_of(line);
    if (table_[hole] == 0) return;
    table_[hole] = 0;
    for (std::size_t at = (hole + 1) & mask; table_[at] != 0; at = (at + 1) & mask) {
        const std::size_t home = hash(lines_[table_[at]].line) & mask;
        if (((at - home) & mask) < ((at - hole) & mask)) continue;
        table_[hole] = table_[at];
        table_[at] = 0;
        hole = at;
    }
}

void SectorCache::grow_table() {
    table_.assign(table_.size() * 2, 0);
    for (std::uint32_t slot = 1; slot < lines_.size(); ++slot) table_[place_of(lines_[slot].line)] = slot;
}

SectorCache::Line* SectorCache::find(std::uint64_t line) {
    const std::uint32_t slot = table_[place_of(line)];
    if (slot == 0) return nullptr;
    detach(slot);
    make_recent(slot);
    return &lines_[slot];
}

SectorCache::Inserted SectorCache::find_or_insert(std::uint64_t line) {
    if (Line* found = find(line)) return {found, 0};
    Inserted result;
    std::uint32_t slot = 0;
    if (lines_.size() - 1 < capacity_) {
        slot = static_cast<std::uint32_t>(lines_.size());
        lines_.emplace_back();
        if (lines_.size() * 2 > table_.size()) {
            lines_.pop_back();
            grow_table();
            lines_.emplace_back();
        }
    } else {
        slot = lines_[0].previous;
        result.evicted_dirty = lines_[slot].dirty;
        detach(slot);
        erase_key(lines_[slot].line);
    }
    table_[place_of(line)] = slot;
    lines_[slot] = Line{};
    lines_[slot].line = line;
    make_recent(slot);
    result.line = &lines_[slot];
    return result;
}

std::uint64_t SectorCache::dirty_sectors() const {
    std::uint64_t sectors = 0;
    for (std::size_t slot = 1; slot < lines_.size(); ++slot) sectors += static_cast<std::uint64_t>(std::popcount(lines_[slot].dirty));
    return sectors;
}

} // namespace apod::model
