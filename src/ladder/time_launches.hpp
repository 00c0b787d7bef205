// The times of a rung's launches on a device with a clock.
#pragma once

#include "base/result.hpp"
#include "bench/stream_target.hpp"
#include "device/device.hpp"
#include "ladder/bind.hpp"
#include "ladder/climb.hpp"

#include <memory>
#include <vector>

namespace apod::ladder {

// What times the launches of a climb. One stopwatch, and so one stream, serves them all: on an H200 every launch of a process takes 0.2 us
// longer once a second stream has been held back.
class LaunchTimer {
public:
    LaunchTimer(device::Device& device, const TimingOptions& options) : device_(device), options_(options) {}

    // Times each launch by itself with src/bench and puts it into its record: `time_ns` and gpu__time_duration.sum with warm caches (runs
    // follow each other), apod__time_duration_cold.sum with L2 flushed before each run, all with their noise. A launch that takes longer
    // than `TimingOptions::longest_s` keeps the time of its one run. A device without a clock, or with a predicted one, is left as it is. A
    // time below what physics allows is check_failed.
    Result<void> time(std::vector<BoundLaunch>& launches, std::vector<LaunchRecord>& records);

private:
    Result<Quantity> time_one(BoundLaunch& bound, bench::Caches caches);

    device::Device& device_;
    const TimingOptions& options_;
    std::shared_ptr<bench::Stopwatch> stopwatch_;
};

} // namespace apod::ladder
