// A climb as CSV: a header, then one line a rung. The first columns are fixed; then every metric of any rung under its identifier, in byte
// order. A cell without a value is empty. Numbers are plain, times in nanoseconds, rates in 1e9 bytes a second.
#pragma once

#include "ladder/climb.hpp"

#include <string>

namespace apod::report {

[[nodiscard]] std::string climb_csv(const ladder::ClimbResult& climb);

} // namespace apod::report
