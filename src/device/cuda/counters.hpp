// Whether this process may read hardware counters.
#pragma once

#include "device/facts.hpp"

#include <filesystem>
#include <string_view>

namespace apod::device::cuda {

// From the kernel driver's parameter RmProfilingAdminOnly and this process's capabilities (CAP_SYS_ADMIN, CAP_PERFMON): what NVIDIA's
// ERR_NVGPUCTRPERM page describes. The text of the two files, empty where they are not there.
[[nodiscard]] CounterPermission counter_permission(std::string_view driver_parameters, std::string_view process_status);

// Of this machine: /proc/driver/nvidia/params, /proc/self/status.
[[nodiscard]] CounterPermission counter_permission();

} // namespace apod::device::cuda
