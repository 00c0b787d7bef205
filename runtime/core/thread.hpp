// What each host thread has, whichever API it calls through.
#pragma once

#include "runtime/core/stream.hpp"

#include <vector>

namespace apod::runtime {

struct ThreadState {
    int device = 0;                          // the current one, of the runtime API and of the driver API's current context
    bool runtime_used = false;               // the runtime API was called, which makes the device's primary context current
    std::vector<Stream*> per_thread_streams; // by device, made when asked for
};

[[nodiscard]] ThreadState& thread_state();

} // namespace apod::runtime
