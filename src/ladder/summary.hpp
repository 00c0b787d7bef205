// From a rung's launches to what is said of the rung.
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"
#include "ladder/climb.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace apod::ladder {

// What the problem must do, whoever does it. Zero: not stated.
struct ProblemWork {
    std::uint64_t bytes = 0;
    double operations = 0;
    std::string operation_type;       // fp32, fp64, int32
    std::uint64_t distinct_bytes = 0; // of `bytes`, those at different addresses: no more than the buffers have
};

[[nodiscard]] bool is_sampled(const std::vector<LaunchRecord>& launches);

// The shortest time for the work: the larger of what its bytes take at the peak bandwidth of the memory that they can be in
// (arch/memory_bound.hpp) and operations / peak rate, in ns. Bytes over GB/s are ns. The peak rate is SMs * results per clock per SM *
// clock; an fp32 or fp64 fused multiply-add counts as two operations, an int32 operation as one. 0 when nothing is stated.
[[nodiscard]] double problem_floor_ns(const ProblemWork& work, const arch::Gpu& gpu);

// Fills time, floor, limiter, metrics and findings of a rung, and the findings of its launches, from the launches. Times and counts add up;
// ratios follow from the sums; the limiter is that of the longest launch.
void summarise(RungResult& rung, const ProblemWork& work, const arch::Gpu& gpu);

// The findings of a rung from those of its launches, the largest estimated gain first.
void collect_findings(RungResult& rung);

// The same for a rung with a pipeline, whose launches are all of all chunks: of those that look alike the first is kept. The time is the
// pipeline's; the floor is what the link needs for the larger way, 0 where no link is known; the limiter is the longest part.
void summarise_pipeline(RungResult& rung, const arch::Gpu& gpu);

} // namespace apod::ladder
