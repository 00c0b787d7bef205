// Streams whose work is put into a graph in place of being executed. The rules are those of CUDA's stream capture: a capture spreads over
// events to other streams, must be joined again, and what would need its work to have run makes it invalid.
#pragma once

#include "runtime/core/error.hpp"
#include "runtime/core/graph.hpp"
#include "runtime/core/stream.hpp"
#include "runtime/core/work.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace apod::runtime {

enum class CaptureMode : int { global = 0, thread_local_ = 1, relaxed = 2 };
enum class CaptureStatus : int { none = 0, active = 1, invalidated = 2 };

struct Capture {
    std::uint64_t id = 0;
    CaptureMode mode = CaptureMode::global;
    Graph* graph = nullptr;
    std::unique_ptr<Graph> own;   // where the capture made the graph
    std::size_t nodes_before = 0; // in the graph when the capture began
    Stream* origin = nullptr;
    std::thread::id thread;
    bool invalid = false;
    std::vector<Stream*> streams;
};

class Captures {
public:
    [[nodiscard]] bool any() const { return !captures_.empty(); }

    Error begin(Stream& stream, CaptureMode mode);
    Error begin(Stream& stream, CaptureMode mode, Graph& graph, std::vector<GraphNode*> frontier);
    // The graph is empty-handed where the capture went into a graph that was there before.
    Error end(Stream& stream, std::unique_ptr<Graph>& made, Graph*& graph);

    // What becomes of work that is submitted: nullopt where it is to be executed, else the answer to the call.
    std::optional<Error> take(Stream& stream, const Work& work);
    // The same for a whole graph.
    std::optional<Error> take(Stream& stream, const Graph& child);
    // The node that work of the stream becomes.
    GraphNode* add(Stream& stream, NodeWork work);

    // For calls that would wait for captured work, or that may: the error, and the capture is invalid; success where nothing speaks against
    // it.
    Error wait_for(const Stream& stream);
    Error wait_for(const Event& event);
    Error wait_for_device(int device);
    Error unsafe_call();
    // A call that executes work of the legacy stream and waits for it.
    Error blocking_call(const Stream& legacy);

    [[nodiscard]] CaptureStatus status(const Stream& stream) const;
    [[nodiscard]] const Capture* of(const Stream& stream) const { return stream.capture; }
    // A stream is destroyed: its capture ends if it began there, and goes on without it otherwise.
    void forget(Stream& stream);

private:
    [[nodiscard]] Capture* active(const Event& event);
    [[nodiscard]] Capture* that_waits_for(const Stream& legacy) const;
    std::optional<Error> take_wait(Stream& stream, const WaitWork& work);

    std::map<std::uint64_t, std::unique_ptr<Capture>> captures_;
    std::uint64_t next_id_ = 1;
};

// The calling thread's mode, as cudaThreadExchangeStreamCaptureMode sets it.
[[nodiscard]] CaptureMode& thread_capture_mode();

} // namespace apod::runtime
