// A cache of 128 B lines with 32 B sectors, fully associative, least recently used line leaves first. The hardware's caches are highly
// associative and hashed, so that this is close and has no conflicts by accident.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace apod::model {

class SectorCache {
public:
    explicit SectorCache(std::uint64_t lines);

    struct Line {
        std::uint64_t line = 0;
        std::uint32_t previous = 0; // recency list; places in lines_
        std::uint32_t next = 0;
        std::uint8_t valid = 0; // sector masks
        std::uint8_t dirty = 0;
        std::uint8_t copied = 0;     // sectors that were read in either of two partitions, four bits each
        std::uint8_t read_now = 0;   // sectors read in the turn of the last read
        std::uint32_t read_turn = 0; // that turn, plus one
        // By sector who last fetched it, and when: what hits meanwhile waits for the same data. Kept by the owner of the cache.
        std::array<std::uint32_t, 4> turn{};
        std::array<std::uint32_t, 4> by{};
        std::array<std::uint8_t, 4> level{}; // 1: from L2, 2: from DRAM
    };

    // The line when it is there, made most recent; nullptr otherwise.
    [[nodiscard]] Line* find(std::uint64_t line);

    struct Inserted {
        Line* line = nullptr;
        std::uint8_t evicted_dirty = 0; // sectors that had to be written back to make room
    };
    // The line, fetched into the cache with no valid sector when it was not there.
    [[nodiscard]] Inserted find_or_insert(std::uint64_t line);

    // Sectors that are dirty now.
    [[nodiscard]] std::uint64_t dirty_sectors() const;

private:
    [[nodiscard]] std::size_t place_of(std::uint64_t line) const; // in table_: where it is or would go
    void erase_key(std::uint64_t line);
    void grow_table();
    void detach(std::uint32_t slot);
    void make_recent(std::uint32_t slot);

    std::uint64_t capacity_;
    std::vector<Line> lines_; // lines_[0] is the head of the recency list
    std::vector<std::uint32_t> table_;
};

} // namespace apod::model
