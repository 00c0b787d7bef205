// What CUDA tells of a device, from its description.
#pragma once

#include "arch/gpu.hpp"
#include "runtime/cudart/types.hpp"

#include <optional>

namespace apod::runtime::cudart {

[[nodiscard]] DeviceProperties device_properties(const arch::Gpu& gpu, int device);

// By cudaDeviceAttr's number; nothing for a number that CUDA does not have.
[[nodiscard]] std::optional<int> device_attribute(const arch::Gpu& gpu, int device, int attribute);

} // namespace apod::runtime::cudart
