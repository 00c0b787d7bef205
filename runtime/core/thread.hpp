// What each host thread has, whichever API it calls through.
#pragma once

#include "runtime/core/stream.hpp"

#include <string>
#include <vector>

namespace apod::runtime {

struct ThreadState {
    int device = 0;                          // the current one, of the runtime API and of the driver API's current context
    bool runtime_used = false;               // the runtime API was called, which makes the device's primary context current
    std::vector<Stream*> per_thread_streams; // by device, made when asked for
    // Of the call under way, should it fail: why, which kernel it launches, and whether the checks have said it already.
    std::string why;
    std::string kernel;
    bool reported = false;
};

[[nodiscard]] ThreadState& thread_state();

// Forgets what was noted for an earlier call that might have failed.
void begin_call();

} // namespace apod::runtime
