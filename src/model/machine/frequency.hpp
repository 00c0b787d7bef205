// How often each block of machine code runs, from how often the emulator ran the PTX that it was made from.
#pragma once

#include "model/facts.hpp"

#include <vector>

namespace apod::model {

// Executions of each block of facts.machine, for an average warp. Blocks of subroutines (the slow paths of division and square root) and
// those for diverged warps count as never run.
[[nodiscard]] std::vector<double> block_frequencies(const LaunchFacts& facts);

// The same for the longest warp, as far as its requests tell which loops it was in; empty where they are not known.
[[nodiscard]] std::vector<double> longest_frequencies(const LaunchFacts& facts);

} // namespace apod::model
