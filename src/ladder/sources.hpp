// The PTX of a ladder's sources.
#pragma once

#include "arch/gpu.hpp"
#include "base/result.hpp"
#include "ladder/ladder.hpp"

#include <string>
#include <vector>

namespace apod::ladder {

struct PtxText {
    std::string text;
    std::string file; // for messages
};

// A .ptx is read. A .cu of a built-in ladder comes as the PTX that ships beside it; any other is compiled by nvcc for the device, or,
// without nvcc, read from <stem>.ptx beside it. Neither there: unavailable, with what to do.
Result<std::vector<PtxText>> load_sources(const Ladder& ladder, const arch::ComputeCapability& device);

} // namespace apod::ladder
