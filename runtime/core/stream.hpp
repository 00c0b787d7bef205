// Streams and events as the emulated clock sees them.
#pragma once

#include <cstdint>

namespace apod::runtime {

enum class StreamKind : std::uint8_t {
    legacy,       // the default stream: waits for every blocking stream and they for it
    per_thread,   // the default stream of one host thread
    blocking,     // cudaStreamCreate
    non_blocking, // cudaStreamNonBlocking: does not care about the legacy stream
};

struct Stream {
    std::uint64_t id = 0;
    StreamKind kind = StreamKind::blocking;
    int device = 0;
    unsigned flags = 0;
    int priority = 0;
    double ready_ns = 0; // emulated time at which all work issued to it so far has ended
};

struct Event {
    unsigned flags = 0;
    bool recorded = false;
    double time_ns = 0;                                            // emulated time of the last record
    [[nodiscard]] bool timed() const { return (flags & 2u) == 0; } // not cudaEventDisableTiming
};

} // namespace apod::runtime
