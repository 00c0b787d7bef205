// The predicted time of a launch and what makes it up. docs/model.md derives every term.
#pragma once

#include "apod/record.hpp"
#include "model/facts.hpp"

#include <string>
#include <vector>

namespace apod::model {

struct Prediction {
    double time_ns = 0; // as a profiler times the kernel, or src/bench one of many in a row: without events around it
    double cold_ns = 0; // the same, with empty caches
    std::string limiter;
    std::vector<LimiterShare> shares; // largest first; they overlap, and so do not add up
    std::string cold_limiter;         // with empty caches, as a profiler's counters have it
    std::vector<LimiterShare> cold_shares;
    double warps_active_percent = 0;
    double waves = 0;
};

// The last answers are kept; equal facts are not worked out twice.
[[nodiscard]] Prediction predict(const LaunchFacts& facts);

// For benchmarks: what is kept is worked out again.
void forget_predictions();

} // namespace apod::model
