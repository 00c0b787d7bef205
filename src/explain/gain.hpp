// What removing a defect may save: the launch's time put together again from its shares, with some of them smaller.
#pragma once

#include "apod/record.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::explain {

// Factors by share name ("l2 writes" -> 0.25). 1 changes nothing.
using Changes = std::map<std::string, double, std::less<>>;

// Of a launch's time, the least saving that is told: a prediction is not so good that less would be seen.
inline constexpr double worth_telling = 0.03;

// Nanoseconds saved, at most what lies above the floor; nothing when the launch has no shares or the saving is not worth telling.
//
// The shares combine as src/model/predict does it: latency and the busiest unit of the SM hide each other in part (the part is the one that
// reproduces the launch's own time), and the fourth powers of SM, L2, DRAM and dispatch add up; the launch's overhead comes on top.
[[nodiscard]] std::optional<double> gain_ns(const LaunchRecord& launch, const Changes& changes);

// The shares of what an SM does by itself, latency among them.
inline constexpr std::string_view shares_of_sm[] = {"latency", "issue", "lsu", "shared", "port", "fma", "alu", "fp64", "xu", "shuffle"};

// The largest estimated gain first, those without an estimate last.
void largest_first(std::vector<Finding>& findings);

// What page-locked copies reach of the link: 55.5 of 63.0 GB/s on an H200 (docs/transfer.md).
inline constexpr double reached_of_link = 0.88;

// Nanoseconds of a share, 0 when there is none of that name.
[[nodiscard]] double share_ns(const LaunchRecord& launch, std::string_view name);

} // namespace apod::explain
