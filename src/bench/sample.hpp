// One timed sample: what every part of src/bench speaks of.
#pragma once

#include <cstdint>

namespace apod::bench {

struct Sample {
    double time_ns = 0;      // of one run: a sample of several runs is divided by them
    std::uint32_t runs = 1;  // runs between the two time stamps
    std::uint32_t round = 0; // versions are sampled in turns: which turn
    double clock_mhz = 0;    // SM clock while it ran; 0: not known
    bool throttled = false;  // the driver says that heat or power held the clock down meanwhile
    bool held_back = true;   // all its work was enqueued before the first of it began; false: the host's pace may be in it
};

} // namespace apod::bench
