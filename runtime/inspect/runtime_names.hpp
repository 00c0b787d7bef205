// The names of the CUDA runtime's functions, sorted. Generated from runtime/cudart/names.txt and names12.txt.
#pragma once

#include <span>
#include <string_view>

namespace apod::runtime {

extern const std::span<const std::string_view> runtime_names;

} // namespace apod::runtime
