// What sets the time of a launch, told from the time that each resource alone would need.
#pragma once

#include "apod/record.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace apod::model {

// All that a share can be called.
inline constexpr std::string_view limiter_names[] = {"issue",     "fma",     "alu",    "fp64",     "xu",      "shuffle",
                                                     "barrier",   "lsu",     "shared", "port",     "latency", "l2 reads",
                                                     "l2 writes", "atomics", "dram",   "dispatch", "launch"};

void sort_shares(std::vector<LimiterShare>& shares); // largest first

// The largest of sorted shares, the launch's own cost too: where that is it, nothing in the kernel would save as much.
[[nodiscard]] std::string limiter_of(const std::vector<LimiterShare>& shares);

} // namespace apod::model
