// What the requests of one op (or line, or launch) in one memory space add up to.
#pragma once

#include "emu/event.hpp"

#include <array>
#include <cstdint>

namespace apod::model {

struct Traffic {
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;            // active lanes, summed
    std::uint64_t bytes = 0;            // asked for by the active lanes
    std::uint64_t sectors = 0;          // distinct 32 B sectors of each request, summed (global, local)
    std::uint64_t ideal_sectors = 0;    // the fewest that could hold what the lanes asked for
    std::uint64_t lines = 0;            // distinct 128 B lines of each request (global)
    std::uint64_t random_lines = 0;     // those of requests whose lanes' lines follow no regular distance (global, local)
    std::uint64_t wavefronts = 0;       // passes of the data array (global, shared)
    std::uint64_t ideal_wavefronts = 0; // without bank conflicts (shared)
    std::uint64_t atomic_addresses = 0; // distinct addresses of each request (atomics)
    std::uint64_t atomic_max_lanes = 0; // lanes on the most wanted address of each request (atomics)
    std::uint64_t followed_loads = 0;   // of threads that are followed (followed_thread.hpp)
    std::uint64_t reloads = 0;          // of them, those of an address that the thread had loaded shortly before
    // Loads of followed threads by their distance from the round's first load, in words of 4 B modulo a sector.
    std::array<std::uint64_t, 8> apart{};
    emu::AccessKind kind{};       // the same for all requests of an op in a space
    std::uint32_t lane_bytes = 0; // bytes a lane, of the last request

    Traffic& operator+=(const Traffic& other) {
        if (other.requests == 0) return *this;
        requests += other.requests;
        lanes += other.lanes;
        bytes += other.bytes;
        sectors += other.sectors;
        ideal_sectors += other.ideal_sectors;
        lines += other.lines;
        random_lines += other.random_lines;
        wavefronts += other.wavefronts;
        ideal_wavefronts += other.ideal_wavefronts;
        atomic_addresses += other.atomic_addresses;
        atomic_max_lanes += other.atomic_max_lanes;
        followed_loads += other.followed_loads;
        reloads += other.reloads;
        for (std::size_t i = 0; i < apart.size(); ++i) apart[i] += other.apart[i];
        kind = other.kind;
        lane_bytes = other.lane_bytes;
        return *this;
    }
};

inline constexpr std::uint32_t space_count = 4; // global, shared, local, constant

// Place of an op's traffic in a table of ops * space_count entries.
[[nodiscard]] inline std::size_t traffic_index(std::uint32_t op, emu::MemorySpace space) {
    return std::size_t{op} * space_count + static_cast<std::size_t>(space);
}

} // namespace apod::model
