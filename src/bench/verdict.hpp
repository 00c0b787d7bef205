// FASTER, SLOWER, SAME or UNDECIDED between two versions that were sampled in turns.
//
// The unit is a round: in each, both versions ran shortly after one another, so that a clock or a temperature that drifts meets both. A
// round's time is the median of its samples. FASTER and SLOWER need all of these:
// - the interval of the median ratio over the rounds lies beyond the threshold;
// - the intervals [minimum, upper quartile] of the two versions have a gap between them of at least the threshold;
// - the same in cycles (time x clock), where the clock is known: a difference that only the clock made is no difference.
// SAME needs the ratio's interval within the smallest effect. Everything else is UNDECIDED, and says why.
#pragma once

#include "bench/statistics.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace apod::bench {

enum class Verdict : std::uint8_t { faster, slower, same, undecided };

[[nodiscard]] std::string_view to_text(Verdict verdict); // "FASTER"

// Times of both versions in one round, nanoseconds a run, and their clocks; 0: not known.
struct Round {
    double base_ns = 0;
    double other_ns = 0;
    double base_mhz = 0;
    double other_mhz = 0;
};

struct VerdictOptions {
    double smallest_effect = 0.01; // a relative difference below this is no difference
    double confidence = 0.99;      // of the ratio's interval
    std::size_t fewest_rounds = 10;
};

struct Judgement {
    Verdict verdict = Verdict::undecided;
    double ratio = 0;        // other over base: median of the rounds' ratios
    Interval ratio_interval; // of that median
    double threshold = 0;    // the larger of the smallest effect and the noise of the rounds
    double gap = 0;          // between the [minimum, upper quartile] intervals, over the slower median; below 0: they overlap
    double cycle_ratio = 0;  // 0: clocks are not known
    std::string reason;      // one sentence
};

// What `other` is compared with `base`.
[[nodiscard]] Judgement judge(std::span<const Round> rounds, const VerdictOptions& options = {});

} // namespace apod::bench
