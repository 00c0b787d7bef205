// The emulated clock. Work is executed when it is issued, in the order of the calls, which every ordering that CUDA promises allows; what
// the clock tells is when it would have run on the GPU: each stream in its order, streams beside each other, one copy at a time in each
// direction, kernels that fill the GPU one after another. Times are nanoseconds since the program's first call.
#pragma once

#include "arch/gpu.hpp"
#include "runtime/core/stream.hpp"

#include <array>
#include <vector>

namespace apod::runtime {

enum class Engine : std::uint8_t {
    kernel_full,  // as many blocks as SMs, or more
    kernel_small, // leaves room for others
    copy_in,      // host to device
    copy_out,     // device to host
    none          // ordered by its stream alone
};

struct Span {
    double start_ns = 0;
    double end_ns = 0;
};

// The clock of one device and of the host thread that feeds it.
class Timeline {
public:
    explicit Timeline(const arch::Launch& costs) : costs_(costs) {}

    void add(Stream* stream) { streams_.push_back(stream); }
    void remove(Stream* stream);

    // Work of a known duration: starts when its stream, its engine and the host are ready.
    Span issue(Stream& stream, Engine engine, double duration_ns);
    Span issue_kernel(Stream& stream, double duration_ns, bool fills_device);
    // A graph is launched: when its first nodes may start. Its nodes follow each other without the host (Stream::in_graph).
    double begin_graph(const Stream& stream);

    void record(Stream& stream, Event& event);
    void wait(Stream& stream, const Event& event);

    // The host waits: for a stream, an event, everything.
    void hold(Stream& stream, double for_ns); // what the stream gets begins later than so long after now
    void host_waits_for(double time_ns);
    [[nodiscard]] double ready_ns(const Stream& stream) const; // legacy: all that it waits for
    [[nodiscard]] double all_ready_ns() const;
    [[nodiscard]] double host_ns() const { return host_ns_; }

private:
    Span issue_node(Stream& stream, double duration_ns, bool fills_device);
    [[nodiscard]] double stream_start(const Stream& stream) const;

    arch::Launch costs_;
    std::vector<Stream*> streams_;
    std::array<double, 5> engine_ready_ = {}; // by Engine; kernel_small has none of its own
    double host_ns_ = 0;
};

} // namespace apod::runtime
