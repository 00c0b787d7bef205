// What `apod devices` shows of the GPUs that are there: what their drivers tell, the peaks that follow, and what was measured.
#pragma once

#include "base/text_table.hpp"
#include "device/facts.hpp"
#include "peaks/figure.hpp"
#include "report/json.hpp"

#include <optional>
#include <string>
#include <vector>

namespace apod::report {

struct PresentGpu {
    device::DeviceFacts facts;
    arch::Gpu gpu;                     // its description
    std::optional<peaks::Peaks> peaks; // measured now, or kept from before
};

// A block of lines a GPU; ends with an empty line where there is one.
[[nodiscard]] std::string present_text(const std::vector<PresentGpu>& gpus, const TextStyle& style);
[[nodiscard]] std::string present_markdown(const std::vector<PresentGpu>& gpus);
// One row a figure.
[[nodiscard]] std::string peaks_csv(const std::vector<PresentGpu>& gpus);
[[nodiscard]] Json present_json(const PresentGpu& gpu);

} // namespace apod::report
