// Where atomics of a launch meet: how many turns the busiest sector and the busiest slice of the L2 must take.
//
// An L2 slice executes the lanes of a request on one 32 B sector together, unless several lanes want the same word: those take turns.
// Addresses are dealt to slices in pieces of 512 B (measured on an H200: bench/device/atomics.cu, docs/model.md).
#pragma once

#include "emu/event.hpp"

#include <cstdint>
#include <unordered_map>

namespace apod::model {

inline constexpr std::uint64_t atomic_chunk_bytes = 512;

// Turns of the blocks that ran.
struct AtomicDemand {
    std::uint64_t turns = 0;          // of all sectors
    std::uint64_t hottest_sector = 0; // of the sector with the most
    std::uint64_t hottest_chunk = 0;  // of the 512 B with the most
};

class AtomicLoad {
public:
    // A request of atomics or reductions on global memory.
    void add(const emu::MemoryEvent& event);
    AtomicLoad& operator+=(const AtomicLoad& other);
    [[nodiscard]] AtomicDemand demand() const;

private:
    std::unordered_map<std::uint64_t, std::uint64_t> turns_; // by address / 32
};

} // namespace apod::model
