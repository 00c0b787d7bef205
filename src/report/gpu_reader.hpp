// The JSON of a GPU that was there (present_json in gpu_view.hpp) back as what it came from: recorded devices are shown as present ones
// are.
#pragma once

#include "base/result.hpp"
#include "report/gpu_view.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace apod::report {

// The GPUs in a document of `apod devices --json`; emulated entries are skipped. No GPU in it, or no such document: bad_input.
Result<std::vector<PresentGpu>> present_from_json(std::string_view text, const std::string& file);

} // namespace apod::report
