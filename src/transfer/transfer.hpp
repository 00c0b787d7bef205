// All of `apod transfer`: copies, pipelines, pinning, the stages of the simplest program, the GPU against the host, and why.
#pragma once

#include "transfer/result.hpp"
#include "transfer/session.hpp"

#include <vector>

namespace apod::transfer {

struct Parts {
    bool copies = true;
    bool pipeline = true;
    bool pinning = true;
    bool stages = true;
    bool versus = true;
};

// `open_ns`: what opening the device took in a process that had not used one: context start-up is part of the answer. `others`: further
// GPUs, for copies between them.
Result<Findings> measure(device::Device& device, double open_ns, const device::DeviceFacts& facts,
                         const std::vector<device::Device*>& others, const Options& options, const Parts& parts);

} // namespace apod::transfer
