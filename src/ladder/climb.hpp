// Climbing a ladder: every rung is run, verified against the golden result, timed or predicted, and explained.
#pragma once

#include "apod/pipeline.hpp"
#include "apod/record.hpp"
#include "base/result.hpp"
#include "device/device.hpp"
#include "ladder/ladder.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apod::ladder {

enum class Verification : std::uint8_t {
    correct,
    wrong,   // the first differing element is in Mismatch
    sampled, // only part of the blocks ran; what they wrote is right
    not_run  // skipped by its `when`, or it faulted (RungResult::error)
};

// The first element that differs from the golden result.
struct Mismatch {
    std::string buffer;
    std::uint64_t index = 0;
    std::vector<std::uint64_t> coordinates; // index in the buffer's shape, row-major
    std::string expected;
    std::string actual;
    std::uint64_t differing = 0; // how many elements differ in all
    std::uint64_t compared = 0;
};

struct RungResult {
    std::string name;
    std::string what; // what changed from the rung before
    Verification verification = Verification::not_run;
    std::string skipped_because;
    std::optional<Mismatch> mismatch;
    std::optional<Diagnostic> error; // the kernel faulted or could not be launched
    std::vector<LaunchRecord> launches;
    std::optional<PipelineRecord> pipeline; // with the way from and to the host: then `launches` has one of each shape
    Quantity time_ns;                       // sum over the launches, or the pipeline's
    std::optional<Quantity> predicted_ns;   // beside a measured time: what the model says (ladder/beside.hpp)
    Quantity floor_ns;                      // of the problem
    std::string limiter;
    MetricMap metrics; // sums over the launches (ratios recomputed)
    std::vector<Finding> findings;
};

struct ClimbResult {
    std::string ladder;
    std::string title;
    std::string device;
    arch::Gpu gpu;
    bool emulated = true;
    std::map<std::string, double> parameters;   // n = 1024
    std::map<std::string, std::string> choices; // of those that have some, by name: matrix = "stencil"
    std::uint64_t useful_bytes = 0;             // of the problem
    std::uint64_t distinct_bytes = 0;           // of them, those at different addresses
    double operations = 0;
    std::string operation_type;
    std::vector<RungResult> rungs;
    bool stopped = false;                // before all rungs had run; what had run is here
    std::optional<RungResult> yardstick; // no rung: what the ladder gives to measure by (a copy of the same bytes); never compared

    [[nodiscard]] bool all_right() const; // no rung wrong, none faulted, none left out because it was stopped
};

// How long each launch is sampled on a device with a clock, with warm caches and again with cold ones.
struct TimingOptions {
    bool on = true; // off: the time of the one run that was verified
    double warm_up_s = 0.05;
    double shortest_s = 0.2;
    double timeout_s = 2;
    double longest_s = 1; // a launch beyond this is not run again
};

struct ClimbOptions {
    std::map<std::string, double> parameters; // overrides of the ladder's
    std::vector<std::string> rungs;           // names; empty: all
    std::uint64_t instruction_budget = 0;     // warp instructions a launch before a sample must do; 0: the default, about ten seconds
    std::function<void(const std::string& rung, std::size_t index, std::size_t count)> progress;
    TimingOptions timing;
    // The oldest GPU that the kernels are to run on, where others are compared with the device; sources that cannot be compiled for it are
    // compiled for the device.
    std::optional<arch::ComputeCapability> oldest;
    const std::atomic<bool>* stop = nullptr; // true: no further rung is begun, and the result has what there is
};

// What concerns the ladder as a whole (its file, its sources, arguments that do not fit a kernel, a golden result that cannot be had, a
// device without the memory) is an error; what happens to one rung (wrong, faulted, beyond the device's limits) is in its RungResult.
Result<ClimbResult> climb(const Ladder& ladder, device::Device& device, const ClimbOptions& options);

} // namespace apod::ladder
