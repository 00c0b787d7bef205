// Findings: what is wrong with a launch, where, the evidence, what repairing it may save, what to try. One rule a file below rules/; no
// I/O.
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"

#include <vector>

namespace apod::explain {

// All findings of a launch, the largest estimated gain first; those without an estimate last. Where the time's parts are known, a finding
// whose repair would save less than 3 % of it (gain.hpp) is none.
// Where nothing is found and the parts are known, one says what limits the launch: at-its-peak or limited-by.
[[nodiscard]] std::vector<Finding> explain(const LaunchRecord& launch, const arch::Gpu& gpu);

// Not for those that only say what limits a launch.
[[nodiscard]] bool is_defect(const Finding& finding);

} // namespace apod::explain
