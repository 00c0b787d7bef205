// The times of a rung's launches on a device with a clock.
#pragma once

#include "base/result.hpp"
#include "device/device.hpp"
#include "ladder/bind.hpp"
#include "ladder/climb.hpp"

#include <vector>

namespace apod::ladder {

// Times each launch by itself with src/bench and puts it into its record: `time_ns` and gpu__time_duration.sum with warm caches (runs
// follow each other), apod__time_duration_cold.sum with L2 flushed before each run, all with their noise. A launch that takes longer than
// `TimingOptions::longest_s` keeps the time of its one run. A device without a clock, or with a predicted one, is left as it is. A time
// below what physics allows is check_failed.
Result<void> time_launches(device::Device& device, std::vector<BoundLaunch>& launches, std::vector<LaunchRecord>& records,
                           const TimingOptions& options);

} // namespace apod::ladder
