// The simplest program, stage by stage: memory for the input, copy in, memory for the output, one multiplication an element, copy out.
#pragma once

#include "transfer/result.hpp"
#include "transfer/session.hpp"

namespace apod::transfer {

// `bytes` of input and as many of output. Run several times; the run with the median elapsed time is the result, so that its stages are of
// one run and add up.
Result<Breakdown> measure_stages(const Session& session, std::uint64_t bytes);

// Loading the module and the first two launches, in a process that has done neither: only the first call tells.
Result<void> measure_start_up(device::Device& device, StartUp& start_up);

} // namespace apod::transfer
