// What the memory system allows at best to work whose data may be where an earlier launch left them.
#pragma once

#include "arch/gpu.hpp"

namespace apod::arch {

struct MemoryBound {
    double bytes = 0; // that must come this way
    double gbs = 0;   // at the theoretical rate; 0: not known
    bool of_l2 = false;

    [[nodiscard]] double ns() const { return gbs > 0 ? bytes / gbs : 0; }
};

// Bytes a nanosecond between the SMs and L2, reads and writes together; 0 where the description does not know.
[[nodiscard]] double l2_read_gbs(const Gpu& gpu);
[[nodiscard]] double l2_write_gbs(const Gpu& gpu);

// Of `distinct` bytes that a launch goes through again and again, the share that may wait for it in L2: all of what L2 is large enough for,
// nothing of twice its size and more, where each piece is gone before its turn comes again; between the two, the rest of a full L2.
[[nodiscard]] double resident_share(const Gpu& gpu, double distinct);

// The way that takes longer: DRAM, for what cannot wait in L2, or L2, which all bytes cross. `bytes` are what the work reads and writes,
// `distinct` those at different addresses.
[[nodiscard]] MemoryBound memory_bound(const Gpu& gpu, double bytes, double distinct);

} // namespace apod::arch
