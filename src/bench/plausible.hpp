// A result that physics does not allow is refused: the kernel did not do its work, or the timer did not cover it.
#pragma once

#include "base/result.hpp"

#include <string_view>

namespace apod::bench {

// How far below its floor a time may be: what the peaks' own figures are uncertain by.
inline constexpr double floor_tolerance = 0.02;

// check_failed where `time_ns` is below the floor by more than the tolerance, zero, negative or not a number. `floor_ns` 0: not known.
// `what` names the version. The floor must be one of the mode that was timed: a floor from DRAM does not bound a run whose data stay in
// L2.
Result<void> refuse_impossible(std::string_view what, double time_ns, double floor_ns);

} // namespace apod::bench
