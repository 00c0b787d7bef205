// Rooflines as data (docs/roofline.md): what the GPU can do at most, and where a launch stands below that. Hierarchical: operations against
// the bytes of each level of memory (Williams, Waterman and Patterson 2009; Yang, Kurth and Williams 2020). Of instructions: warp
// instructions against the transactions of each level (Ding and Williams 2019).
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"

#include <vector>

namespace apod::model {

// Every roof whose numbers the description has: bandwidths of dram, l2, l1 and shared memory, in bytes and in transactions; operations of
// each kind of unit; warp instructions that can issue.
[[nodiscard]] std::vector<Ceiling> ceilings(const arch::Gpu& gpu);

// The points of a launch, from its metrics and its time, whoever counted or measured them. None where the metrics that one needs are
// missing or zero: a kernel without floating-point operations has only points of instructions.
//
// The time is gpu__time_duration.sum where it was measured, else the measured time, else that of a kernel that begins with empty caches, as
// the counted bytes of DRAM are. Bytes of DRAM that are not measured are left out beside a measured time when L2 can hold all data, since
// then they may not have moved.
[[nodiscard]] std::vector<RooflinePoint> roofline(const LaunchRecord& launch, const arch::Gpu& gpu);

} // namespace apod::model
