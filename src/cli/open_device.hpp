// From --device to the device.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"
#include "device/device.hpp"
#include "model/scenario.hpp"

#include <memory>
#include <string>
#include <vector>

namespace apod::cli {

// The device that `auto` means where there is no GPU.
inline constexpr const char* default_device = "emu:h200";

// What --device names behind its first comma, and what --what-if asks; both concern emulated GPUs. `gpu` is what --what-if changes. Usage
// errors say which part is wrong.
Result<std::vector<model::Scenario>> scenarios_of(const DeviceOptions& options, const arch::Gpu& gpu);

// The first device that is named. `auto` says on standard error what it took, unless `quiet`. An unknown name is a usage error; a GPU that
// is not there is unavailable.
Result<std::unique_ptr<device::Device>> open_device(const DeviceOptions& options, bool quiet);

// The files that --device may name: recordings, descriptions of GPUs. Whether they are there is not looked at.
[[nodiscard]] std::vector<std::string> files_of_device(const std::string& device);

} // namespace apod::cli
