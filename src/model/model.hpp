// From events to metrics and from metrics to time. The flow of one launch:
//
//   Counters counters(program, gpu, launch shape);      // a sink a worker
//   emu::run(..., counters.sinks());                    // events
//   LaunchRecord record = counters.record(execution);   // metrics per launch and per line, floor, predicted time and its parts
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"
#include "arch/occupancy.hpp"
#include "emu/launch.hpp"
#include "model/scenario.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace apod::model {

// What the problem itself needs, stated by whoever launches; the floor follows from it. Zero bytes: the launch's own footprint is used.
struct Work {
    std::uint64_t useful_bytes = 0;
    double operations = 0;
    std::string operation_type; // fp32, fp64, int32
};

// Collects the events of one launch. Not copied; outlives the run.
class Counters {
public:
    Counters(const emu::Program& program, const arch::Gpu& gpu, const emu::LaunchConfig& config);
    ~Counters();
    Counters(const Counters&) = delete;
    Counters& operator=(const Counters&) = delete;

    // For one run of the launch, or for several that run parts of its grid: a worker's sink goes on counting.
    [[nodiscard]] emu::SinkFactory sinks();

    // The complete record, without findings. Counts do not depend on the number of worker threads. When only a sample of the blocks ran,
    // sums are scaled to the whole grid and LaunchRecord::sample says so.
    [[nodiscard]] LaunchRecord record(const emu::Execution& execution, const Work& work) const;

    // The same launch as the scenario has it, in the shape that reshape() gave. No error where nothing fits: Estimate::why_not says so.
    [[nodiscard]] Estimate estimate(const emu::Execution& execution, const Scenario& scenario, const LaunchShape& shape) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace apod::model
