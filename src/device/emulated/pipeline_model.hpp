// The time of a pipeline on a GPU that is not there: a copy engine each way, kernels one after another, and streams in whose order the
// chunks' steps follow each other.
#pragma once

#include "apod/pipeline.hpp"
#include "arch/gpu.hpp"
#include "base/result.hpp"

#include <vector>

namespace apod::device {

// Rates are shares of what the GPU's PCIe carries (arch/link.hpp), as they were measured on an H200 (docs/transfer.md) and taken for every
// GPU; pageable memory is as fast as that machine's host copied it. A GPU that is not on PCIe alone: unavailable.
Result<PipelineRecord> predict_pipeline(const PipelineShape& shape, const std::vector<double>& kernel_ns, const arch::Gpu& gpu);

} // namespace apod::device
