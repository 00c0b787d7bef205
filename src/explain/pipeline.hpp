// Findings of a pipeline: where copies lose time, what changing it may save, what to try.
#pragma once

#include "apod/pipeline.hpp"
#include "arch/gpu.hpp"

#include <vector>

namespace apod::explain {

// The largest estimated gain first. Estimates follow from the parts' own times, and from what PCIe carries where those do not tell.
[[nodiscard]] std::vector<Finding> explain_pipeline(const PipelineRecord& pipeline, const arch::Gpu& gpu);

} // namespace apod::explain
