// How far a total may be off that was scaled up from a sample.
#pragma once

#include <vector>

namespace apod::model {

inline constexpr std::size_t sampling_groups = 16;

// The sample in groups that were drawn alike, each with its own total: relative half width of the 95 % interval of the whole's total,
// Student's t over the groups' standard error. `share`: of the whole that the sample is; all of it leaves no error. 0 without groups.
[[nodiscard]] double sampling_error(const std::vector<double>& totals_of_groups, double share);

// Errors that do not depend on each other, together.
[[nodiscard]] double both(double a, double b);

} // namespace apod::model
