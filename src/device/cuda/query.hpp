// What the driver, NVML and the system tell of a GPU.
#pragma once

#include "device/cuda/driver.hpp"
#include "device/cuda/nvml.hpp"
#include "device/facts.hpp"

#include <vector>

namespace apod::device::cuda {

// Needs no context: it leaves the GPU as it is. `nvml` may be null.
Result<DeviceFacts> query_facts(const Driver& driver, const Nvml* nvml, int ordinal);

// Of every GPU that the driver sees; CUDA_VISIBLE_DEVICES counts.
Result<std::vector<DeviceFacts>> query_all(const Driver& driver, const Nvml* nvml);

} // namespace apod::device::cuda
