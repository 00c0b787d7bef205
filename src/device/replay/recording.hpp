// A recorded run: the JSON that apod climb, run or explain wrote on a GPU, read for what was measured in it.
#pragma once

#include "apod/pipeline.hpp"
#include "apod/record.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apod::device {

// One launch as it was recorded: what it is recognised by, and what was measured.
struct RecordedLaunch {
    std::string mangled;
    Dim3 grid;
    Dim3 block;
    std::uint64_t dynamic_shared_bytes = 0;
    Quantity registers_per_thread;
    Quantity time_ns;
    MetricMap metrics; // the measured ones alone
};

struct Recording {
    std::string device_id;   // cuda:0
    std::string device_name; // NVIDIA H200
    std::vector<RecordedLaunch> launches;
    std::vector<PipelineRecord> pipelines;
};

// docs/schema/apod-1.schema.json, a climb or a run. Not such a document, or one whose times are not measured: bad_input.
Result<Recording> read_recording(std::string_view json, const std::string& file);

} // namespace apod::device
