// The GPUs of this machine, for `apod devices`.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"
#include "report/gpu_view.hpp"

#include <string>
#include <vector>

namespace apod::cli {

struct MeasureOptions {
    bool measure = false;
    bool again = false; // also where figures of this GPU and driver are kept
    std::string device; // cuda:0; empty: all
};

struct PresentGpus {
    std::vector<report::PresentGpu> gpus;
    std::string why_none; // where there is none
};

// With the figures that are kept of them; no driver is no error, but empty.
Result<PresentGpus> present_gpus();

// Those that `apod devices --json` recorded elsewhere, with their figures.
Result<PresentGpus> recorded_gpus(const std::string& file);

// Measures what was asked for, keeps it, and leaves the GPUs that were named. A GPU that is not there: unavailable.
Result<void> measure(PresentGpus& present, const MeasureOptions& options, const OutputOptions& output);

// "cuda:1" -> 1, "cuda" -> 0; negative: it is no GPU's name.
[[nodiscard]] int cuda_ordinal(const std::string& device);

} // namespace apod::cli
