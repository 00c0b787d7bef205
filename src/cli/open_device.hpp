// From --device to the device.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"
#include "device/device.hpp"

#include <memory>

namespace apod::cli {

// The device that `auto` means where there is no GPU.
inline constexpr const char* default_device = "emu:h200";

// `auto` says on standard error what it took, unless `quiet`. An unknown name is a usage error; a GPU that is not there is unavailable.
Result<std::unique_ptr<device::Device>> open_device(const DeviceOptions& options, bool quiet);

} // namespace apod::cli
