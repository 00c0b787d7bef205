// What one memory request of a warp asks of the memory units: sectors, lines, wavefronts.
//
// Rules (docs/metrics.md explains each): a sector is 32 B, a line 128 B; every access is naturally aligned, so a lane's access lies in one
// sector. Shared memory and the L1 data array have 32 banks of 4 B; lanes that read the same word share it. See bank_wavefronts.
#pragma once

#include "emu/event.hpp"

#include <array>
#include <cstdint>

namespace apod::model {

inline constexpr std::uint32_t sector_bytes = 32;
inline constexpr std::uint32_t line_bytes = 128;

// The distinct lines of a request, each with the mask of its touched sectors (bit 0: first 32 B). At most one line a lane.
// Lines of local memory have an index of their own: of the warp's word that its lanes share a line for. Which memory that is depends on
// where the block runs; hierarchy.hpp makes it of this and the block's place.
inline constexpr unsigned local_word_bits = 20;
inline constexpr unsigned local_warp_bits = 5;

struct LineList {
    std::uint32_t count = 0;
    std::array<std::uint64_t, emu::lanes> line; // address / 128
    std::array<std::uint8_t, emu::lanes> mask;
};

struct GlobalShape {
    std::uint32_t sectors = 0;
    std::uint32_t lines = 0;
    std::uint32_t wavefronts = 0; // passes of the L1 data array
};

struct SharedShape {
    std::uint32_t wavefronts = 0;
    std::uint32_t ideal = 0; // wavefronts of the same request without conflicts; wavefronts - ideal are bank conflicts
};

struct AtomicShape {
    std::uint32_t addresses = 0; // distinct
    std::uint32_t max_lanes = 0; // on the most wanted address
};

// Global (and generic, once resolved) requests. `lines` receives the distinct lines, in no particular order.
[[nodiscard]] GlobalShape global_shape(const emu::MemoryEvent& event, LineList& lines);

// Shared requests. For atomics, lanes on one word take turns: see shared_atomic_shape.
[[nodiscard]] SharedShape shared_shape(const emu::MemoryEvent& event);

[[nodiscard]] AtomicShape atomic_shape(const emu::MemoryEvent& event);

// Sectors of a local request: the hardware interleaves lanes word by word, word w of lane l lies at (w * 32 + l) * 4 of the warp's space.
[[nodiscard]] std::uint32_t local_sectors(const emu::MemoryEvent& event);
// The lines of local memory, with the sectors of each.
void local_lines(const emu::MemoryEvent& event, LineList& lines);

// Fewest sectors that could hold what the active lanes ask for, were their bytes side by side.
[[nodiscard]] inline std::uint32_t ideal_sectors(std::uint32_t lanes, std::uint32_t bytes) {
    return (lanes * bytes + sector_bytes - 1) / sector_bytes;
}

} // namespace apod::model
