// Streams and events as the emulated clock sees them.
#pragma once

#include <cstdint>
#include <vector>

namespace apod::runtime {

struct Capture;
struct GraphNode;

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
    double ready_ns = 0;              // emulated time at which all work issued to it so far has ended
    bool in_graph = false;            // stands for a branch of a graph that is launched: the host issues nothing
    Capture* capture = nullptr;       // that its work goes to; see capture.hpp
    std::vector<GraphNode*> frontier; // what its next captured work depends on
};

struct Event {
    unsigned flags = 0;
    bool recorded = false;
    double time_ns = 0;                                            // emulated time of the last record
    std::uint64_t capture = 0;                                     // the capture that it was last recorded in; 0: none
    std::vector<GraphNode*> frontier;                              // what waits for it there depends on
    [[nodiscard]] bool timed() const { return (flags & 2u) == 0; } // not cudaEventDisableTiming
};

} // namespace apod::runtime
