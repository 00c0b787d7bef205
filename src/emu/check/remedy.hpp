// What would mend a race, by what is known of its two sides.
#pragma once

#include "emu/check/dataflow.hpp"

#include <cstdint>
#include <string>

namespace apod::emu {

// One of the two accesses.
struct RaceSide {
    std::uint32_t op = 0;
    bool writes = false;
    bool atomic = false;
    std::uint8_t round = 0; // how often its warp had come to the op, modulo 16
    std::uint32_t line = 0; // of its source; 0: not to be compared with the other's
};

enum class RaceKind : std::uint8_t {
    statements, // two accesses that have nothing to do with each other: something must stand between them
    update,     // both change the place: x = f(x)
    in_place,   // what one thread reads goes into what it writes, beside what others read in the same round
    rounds,     // likewise, but of one round of a loop with another
    one_store   // one instruction stores what several threads have
};

struct Race {
    RaceSide before;
    RaceSide now;
    bool same_line = false;
    bool other_blocks = false; // the two threads are of different blocks
    bool in_warp = false;      // of one warp
    bool one_warp = false;     // the block has no other
    bool shared = false;       // memory
    bool many_blocks = false;  // the launch has
};

[[nodiscard]] RaceKind race_kind(const Race& race, Dataflow& dataflow);
[[nodiscard]] std::string race_remedy(const Race& race, RaceKind kind, Dataflow& dataflow);
// Of several pairs of threads at one place in the source the one that takes most to mend is told.
[[nodiscard]] int race_weight(const Race& race, RaceKind kind);

} // namespace apod::emu
