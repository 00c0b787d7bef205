// What removing a defect may save: the launch's time put together again from its shares, with some of them smaller.
#pragma once

#include "apod/record.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace apod::explain {

// Factors by share name ("l2 writes" -> 0.25). 1 changes nothing.
using Changes = std::map<std::string, double, std::less<>>;

// Nanoseconds saved, at least 0 and at most what lies above the floor; nothing when the launch has no shares or the saving is under 1 %.
//
// The shares combine as src/model/predict does it: latency and the busiest unit of the SM hide each other in part (the part is the one that
// reproduces the launch's own time), and the fourth powers of SM, L2, DRAM and dispatch add up; the launch's overhead comes on top.
[[nodiscard]] std::optional<double> gain_ns(const LaunchRecord& launch, const Changes& changes);

// Nanoseconds of a share, 0 when there is none of that name.
[[nodiscard]] double share_ns(const LaunchRecord& launch, std::string_view name);

} // namespace apod::explain
