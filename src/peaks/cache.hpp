// Measured figures kept for each GPU and driver, in the user's cache directory.
#pragma once

#include "base/result.hpp"
#include "device/facts.hpp"
#include "peaks/figure.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace apod::peaks {

// <cache>/peaks/<uuid>-<driver>.json
[[nodiscard]] std::filesystem::path cache_path(const std::filesystem::path& cache, const device::DeviceFacts& facts);

[[nodiscard]] std::string peaks_to_json(const Peaks& peaks);
// Of another version or not readable: bad_input.
Result<Peaks> peaks_from_json(std::string_view text, const std::string& file);

// Nothing where nothing is kept for this GPU and driver, or what is kept cannot be read.
[[nodiscard]] std::optional<Peaks> load_peaks(const std::filesystem::path& cache, const device::DeviceFacts& facts);
// Beside the target and renamed: a reader never sees half of it.
Result<void> keep_peaks(const std::filesystem::path& cache, const device::DeviceFacts& facts, const Peaks& peaks);

} // namespace apod::peaks
