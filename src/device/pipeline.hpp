// What a pipeline takes on a device that has no clock: predicted by an emulated one, recorded by a replayed one.
#pragma once

#include "apod/pipeline.hpp"
#include "base/result.hpp"
#include "device/device.hpp"

#include <vector>

namespace apod::device {

class PipelineTimes {
public:
    virtual ~PipelineTimes() = default;
    // `kernel_ns`: the time of each chunk's kernels alone, one number a chunk.
    virtual Result<PipelineRecord> pipeline(const PipelineShape& shape, const std::vector<double>& kernel_ns) = 0;
};

// The device's own; null where it has a clock (device/async.hpp), or knows of no host.
[[nodiscard]] inline PipelineTimes* pipeline_times(Device& device) { return dynamic_cast<PipelineTimes*>(&device); }

} // namespace apod::device
