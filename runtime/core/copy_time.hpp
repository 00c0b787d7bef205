// How long a copy or a fill takes on the emulated device.
#pragma once

#include "arch/gpu.hpp"

#include <cstdint>

namespace apod::runtime {

enum class Direction : std::uint8_t { host_to_device, device_to_host, device_to_device, host_to_host };

// Nanoseconds, predicted. `pinned`: the host's side is page-locked.
[[nodiscard]] double copy_ns(const arch::Gpu& gpu, Direction direction, std::uint64_t bytes, bool pinned);
[[nodiscard]] double fill_ns(const arch::Gpu& gpu, std::uint64_t bytes);

} // namespace apod::runtime
