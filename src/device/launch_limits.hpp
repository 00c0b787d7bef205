// What every device refuses to launch, and why, before anything runs. bad_input that names the limit, its value and what was asked for.
// The message begins without the kernel's name, which of_kernel adds.
#pragma once

#include "arch/gpu.hpp"
#include "base/result.hpp"
#include "device/device.hpp"

#include <cstdint>
#include <string_view>

namespace apod::device {

[[nodiscard]] Diagnostic of_kernel(std::string_view name, Diagnostic refused);

// Grid and block.
[[nodiscard]] Result<void> check_shape(const Launch& launch, const arch::Gpu& gpu);

// Shared memory of a block, and the bytes of parameters that the kernel takes.
[[nodiscard]] Result<void> check_memory(std::uint64_t static_shared_bytes, std::uint64_t parameter_bytes, const Launch& launch,
                                        const arch::Gpu& gpu);

} // namespace apod::device
