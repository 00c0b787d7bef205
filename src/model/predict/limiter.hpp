// What sets the time of a launch, told from the time that each resource alone would need.
#pragma once

#include "apod/record.hpp"

#include <string>
#include <vector>

namespace apod::model {

void sort_shares(std::vector<LimiterShare>& shares); // largest first

// The largest of sorted shares, the launch's own cost too: where that is it, nothing in the kernel would save as much.
[[nodiscard]] std::string limiter_of(const std::vector<LimiterShare>& shares);

} // namespace apod::model
