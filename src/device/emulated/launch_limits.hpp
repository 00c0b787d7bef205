// What a GPU refuses to launch, and why, before anything runs.
#pragma once

#include "arch/gpu.hpp"
#include "base/result.hpp"
#include "device/device.hpp"
#include "emu/program.hpp"

namespace apod::device {

// A module's PTX target against the device: bad_input when the device is older, or not the one that an "a" or "f" target is for.
[[nodiscard]] Result<void> check_target(const ptx::Module& module, const arch::Gpu& gpu);

// Grid, block, shared memory and parameters against the device's limits and the kernel's own bounds. bad_input that names the limit, its
// value and what was asked for.
[[nodiscard]] Result<void> check_launch(const emu::Program& program, const Launch& launch, const arch::Gpu& gpu);

} // namespace apod::device
