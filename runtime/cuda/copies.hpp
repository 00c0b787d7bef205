// From a copy call's arguments to work. Under the runtime's lock.
#pragma once

#include "runtime/core/work.hpp"
#include "runtime/cuda/types.hpp"

namespace apod::runtime::cuda {

[[nodiscard]] CopyWork flat_copy(Address to, Address from, std::size_t bytes, CopyKind kind);

// Memory and arrays on either side. invalid_value: a box that is not inside its array, rows longer than their pitch.
Error box_copy(const Copy3d& parameters, CopyWork& work);
[[nodiscard]] Copy3d in_three_dimensions(const Copy2d& parameters);

} // namespace apod::runtime::cuda
