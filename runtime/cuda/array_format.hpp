// CUarray_format and a number of channels, as the arrays of runtime/core have them.
#pragma once

#include "runtime/core/array.hpp"

#include <optional>

namespace apod::runtime::cuda {

// Nothing: a format that arrays cannot have here.
[[nodiscard]] std::optional<ArrayFormat> array_format(int format, unsigned channels);
[[nodiscard]] int format_number(const ArrayFormat& format);

} // namespace apod::runtime::cuda
