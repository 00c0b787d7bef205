// The objects (executable and shared libraries) of this process, those that dlopen brings included: each is redirected after it was mapped
// and before any of its constructors runs.
#pragma once

namespace apod::runtime::static_runtime {

struct Options {
    bool trap = false; // APOD_STATIC_TRAP: whoever executes an instruction of a redirected runtime is stopped; for tests
    bool tell = false; // APOD_STATIC_TELL: says how many functions were redirected
};

// Redirects what is loaded now and arranges for what will be loaded. What goes wrong ends the process with a message.
void watch_objects(const Options& options);

} // namespace apod::runtime::static_runtime
