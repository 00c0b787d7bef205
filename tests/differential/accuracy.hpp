// How good the predictions are: launches that an H200 ran under a profiler, beside what the model says of them from kept inputs
// (tests/replay/h200/*.inputs), without running anything. The test holds the figures, the program model_accuracy prints them.
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"
#include "base/result.hpp"
#include "recording.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apod::differential {

// What sets a launch's time, in classes that counters and model both know.
// Atomics that wait for each other in one slice of L2 are known to the model only: the counters are means over all slices.
enum class Bound : std::uint8_t { dram, l2, l1, sm, latency, atomics };
inline constexpr std::size_t bound_count = 6;
[[nodiscard]] std::string_view bound_name(Bound bound);

// The rule for the hardware, Nsight Compute's own: where neither its memory throughput nor that of the SMs reaches 60 % of what it can be,
// latency; else the larger of the two. Memory is the unit that is busiest: DRAM, L2 (lts), L1 with shared memory (l1tex). Where a recording
// lacks their percentages, DRAM's follows from its bytes, L1's from the wavefronts of shared memory; either must come within 5 points of
// the memory throughput, else it is L2.
[[nodiscard]] Bound bound_by_counters(const Row& counters, const arch::Gpu& gpu);

// The same rule for the shares of a prediction: latency where no unit is busy for 60 % of the time.
[[nodiscard]] Bound bound_by_shares(const std::vector<LimiterShare>& shares);

// The class of a share as records name it; "launch" and "dispatch" are latency.
[[nodiscard]] Bound bound_of(std::string_view share);

struct Figures {
    double time_ns = 0;
    double instructions = 0; // warp instructions of the machine code
    double l2_sectors = 0;   // read and written
    double dram_bytes = 0;   // read and written
    Bound bound = Bound::latency;
    Bound limiter = Bound::latency; // predicted: the class of what the record calls the limiter
};

struct Judged {
    std::string program; // or kernel: what makes a ladder together
    std::string launch;
    std::size_t input = 0; // launches that are the same have one
    bool informed = false; // the model was made, or mended, while its time was known
    Figures predicted;
    Figures measured;
};

struct Set {
    std::string name;
    std::vector<Judged> launches; // of at least 5 us
};

// The sets that are kept. Errors: a recording that is missing or broken.
Result<std::vector<Set>> judged_sets(std::string_view only = {}); // all, or the one of that name

struct Errors {
    std::size_t count = 0;
    double mean = 0; // of |predicted - measured| / measured
    double median = 0;
    double ninth_decile = 0;
    double worst = 0;
};

enum class Quality : std::uint8_t { time, instructions, l2_sectors, dram_bytes };
[[nodiscard]] std::string_view quality_name(Quality quality);

// Of launches whose counter is above its noise: 20000 sectors, 1 MiB of DRAM.
[[nodiscard]] Errors errors_of(const std::vector<Judged>& launches, Quality quality);

// Rank correlation of predicted and measured times: 1 for the same order, -1 for the opposite.
[[nodiscard]] double spearman(const std::vector<Judged>& launches);
[[nodiscard]] double kendall(const std::vector<Judged>& launches);

// Launches by what the counters say and what the model says: [counters][model].
using Confusion = std::array<std::array<std::size_t, bound_count>, bound_count>;
[[nodiscard]] Confusion confusion_of(const std::vector<Judged>& launches);
// Whether the model's class is what the counters can show: atomics show as L2, or as latency where few slices do all the work.
[[nodiscard]] bool agree(Bound counters, Bound model);

// Share of launches on whose limiter both agree; and on what the record itself calls the limiter (the largest share, with latency what no
// unit is busy in).
[[nodiscard]] double agreement(const Confusion& confusion);
[[nodiscard]] double limiter_agreement(const std::vector<Judged>& launches);

// The launches of each program or kernel that has at least three different ones, in the order of their first; the times of equal ones are
// averaged.
struct Ladder {
    std::string name;
    std::vector<Judged> launches;
};
[[nodiscard]] std::vector<Ladder> ladders_of(const std::vector<Judged>& launches);

// All of it, as docs/results/model_accuracy.md has it.
[[nodiscard]] std::string accuracy_text(const std::vector<Set>& sets);

} // namespace apod::differential
