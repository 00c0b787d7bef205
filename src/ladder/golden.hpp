// The golden result where it does not come from a rung: from a CPU reference or from .npy files.
#pragma once

#include "ladder/host_buffer.hpp"

#include <vector>

namespace apod::ladder {

// One buffer for each of `host`, in order; those that are compared hold the right results, the others nothing. `host` holds the initial
// contents.
Result<std::vector<HostBuffer>> golden_from_reference(const Ladder& ladder, const Environment& parameters,
                                                      const std::vector<HostBuffer>& host);
Result<std::vector<HostBuffer>> golden_from_files(const Ladder& ladder, const std::vector<HostBuffer>& host);

} // namespace apod::ladder
