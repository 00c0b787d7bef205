// What one launch needs and what sets its time, in a few lines: below a rung in `apod explain`, below a kernel in `apod run`.
#pragma once

#include "apod/record.hpp"
#include "base/text_table.hpp"

#include <string>

namespace apod::report {

// Registers, shared memory and occupancy; where it is `timed` the time with its likely error, floor and limiter, and what each resource
// alone would need; how much of it was run. Indented by two.
[[nodiscard]] std::string launch_facts(const LaunchRecord& launch, bool timed, const TextStyle& style);

} // namespace apod::report
