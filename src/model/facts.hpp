// Everything that is known of one launch before metrics and time are computed from it. All counts are those of the blocks that ran; `scale`
// brings them to the whole grid.
#pragma once

#include "arch/gpu.hpp"
#include "arch/occupancy.hpp"
#include "emu/launch.hpp"
#include "model/cache/hierarchy.hpp"
#include "model/counters/atomic_load.hpp"
#include "model/counters/traffic.hpp"
#include "model/machine/machine_code.hpp"

#include <memory>
#include <vector>

namespace apod::model {

struct LaunchFacts {
    const emu::Program& program;
    const arch::Gpu& gpu;
    const emu::Execution& execution;
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::uint32_t registers_per_thread = 0;
    arch::Occupancy occupancy;
    std::vector<Traffic> traffic; // traffic_index(op, space)
    CacheResult cache;
    AtomicDemand atomics;
    double scale = 1;                            // blocks_total / blocks_run
    double imbalance = 1;                        // work of the busiest SM over the average one's (counters/block_work.hpp)
    double longest_warp = 1;                     // instructions of the longest warp over the average one's
    std::vector<std::uint32_t> longest_requests; // of that warp, by op; empty where not known
    double prints = 0;                           // calls of printf by warps, and by their lanes
    double print_lanes = 0;
    double blocks_error = 0;                    // of what is scaled up from the blocks that ran (counters/block_work.hpp)
    std::shared_ptr<const MachineCode> machine; // null without ptxas

    [[nodiscard]] const Traffic& of(std::uint32_t op, emu::MemorySpace space) const { return traffic[traffic_index(op, space)]; }
    [[nodiscard]] std::uint32_t warps_per_block() const {
        return static_cast<std::uint32_t>((block.count() + emu::lanes - 1) / emu::lanes);
    }
};

// Share of the L2 that distinct data can fill: on parts with two partitions, lines read from both sides are held twice
// (read bandwidth on a GH200 leaves its plateau at 36 to 44 of 60 MiB).
[[nodiscard]] inline double usable_l2_bytes(const arch::Gpu& gpu) {
    return static_cast<double>(gpu.caches.l2_bytes) * (gpu.caches.l2_partitions > 1 ? gpu.model.l2_usable_split : gpu.model.l2_usable);
}

// How often the counters of L2 see a sector: with two partitions, half of all accesses come in through the slice of one and are served by
// the other, and are counted in both.
[[nodiscard]] inline double l2_passages(const arch::Gpu& gpu) {
    const double partitions = gpu.caches.l2_partitions > 1 ? gpu.caches.l2_partitions : 1;
    return 1 + (partitions - 1) / partitions;
}

} // namespace apod::model
