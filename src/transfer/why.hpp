// Why the numbers are what they are: the link against what was reached, pageable memory's staging, latency, NUMA nodes, overlap. Computes
// from the findings alone.
#pragma once

#include "transfer/result.hpp"

#include <string>
#include <vector>

namespace apod::transfer {

[[nodiscard]] std::vector<std::string> explain(const Findings& findings);

} // namespace apod::transfer
