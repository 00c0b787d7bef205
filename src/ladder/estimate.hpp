// What was said of a rung before the next one, and whether it came true: the estimate of the finding that the next rung repaired.
#pragma once

#include "ladder/climb.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::ladder {

enum class EstimateOutcome : std::uint8_t {
    came_true, // the rung saved what was said, a quarter more or less
    saved_more,
    saved_less, // or lost
    not_tried,  // the finding is still there: the rung changed something else
    nothing     // no finding of the rung before had an estimate
};

[[nodiscard]] std::string_view outcome_word(EstimateOutcome outcome); // came_true, faster, ...

struct Estimate {
    std::string before;     // the nearest rung before that has a time,
    std::string after;      // and the one that came of it
    std::string rule;       // of the finding; empty where nothing was said
    std::string title;      //
    double said_ns = 0;     // what repairing it may save
    double forecast_ns = 0; // the time before, less that
    double saved_ns = 0;    // what the rung did save; negative where it is slower
    Quantity time_ns;       // of the rung after
    EstimateOutcome outcome = EstimateOutcome::nothing;
};

// One for each pair of neighbouring rungs that are right and have times, in the ladder's order. Of the findings with an estimate the one
// that counts has the largest among those that are gone from the next rung, or whose estimate there is less than half; where all are still
// there, the largest of all, which then was not tried. On hardware findings are the emulator's, as in all of a climb, and times are
// measured.
[[nodiscard]] std::vector<Estimate> estimates(const ClimbResult& climb);

} // namespace apod::ladder
