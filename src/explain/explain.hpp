// Findings: what is wrong with a launch, where, the evidence, what repairing it may save, what to try. One rule a file below rules/; no
// I/O.
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"

#include <vector>

namespace apod::explain {

// All findings of a launch, the largest estimated gain first; those without an estimate last. Where the time's parts are known, a finding
// whose repair would save less than 3 % of it (gain.hpp) is none.
[[nodiscard]] std::vector<Finding> explain(const LaunchRecord& launch, const arch::Gpu& gpu);

} // namespace apod::explain
