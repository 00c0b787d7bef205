#include "runtime/core/timeline.hpp"

#include <algorithm>

namespace apod::runtime {
namespace {

// Host time of a call: two events around nothing are 1280 ns apart on an H200 (data/arch/h200.toml, launch.event_ns).
constexpr double event_call_ns = 1280;
constexpr double copy_call_ns = 1500;

std::size_t index(Engine engine) { return static_cast<std::size_t>(engine); }

} // namespace

void Timeline::remove(Stream* stream) { streams_.erase(std::remove(streams_.begin(), streams_.end(), stream), streams_.end()); }

double Timeline::stream_start(const Stream& stream) const {
    double start = stream.ready_ns;
    if (stream.kind == StreamKind::non_blocking) return start;
    for (const Stream* other : streams_) {
        const bool waits = stream.kind == StreamKind::legacy ? other->kind != StreamKind::non_blocking : other->kind == StreamKind::legacy;
        if (waits) start = std::max(start, other->ready_ns);
    }
    return start;
}

Span Timeline::issue(Stream& stream, Engine engine, double duration_ns) {
    const double start = std::max({stream_start(stream), engine_ready_[index(engine)], stream.in_graph ? 0 : host_ns_});
    const double end = start + duration_ns;
    stream.ready_ns = end;
    if (engine != Engine::none) engine_ready_[index(engine)] = end;
    if (!stream.in_graph) host_ns_ += copy_call_ns;
    return {start, end};
}

Span Timeline::issue_kernel(Stream& stream, double duration_ns, bool fills_device) {
    if (stream.in_graph) return issue_node(stream, duration_ns, fills_device);
    const double latency = std::max(costs_.event_ns - event_call_ns, 0.0); // from the call to the kernel's start
    const double full = engine_ready_[index(Engine::kernel_full)];
    const double start = std::max({stream_start(stream), full, host_ns_ + latency});
    stream.ready_ns = start + duration_ns;
    if (fills_device) engine_ready_[index(Engine::kernel_full)] = stream.ready_ns;
    host_ns_ += costs_.stream_ns;
    return {start, stream.ready_ns};
}

// Nothing between two nodes: a kernel's time has its launch in it, which is more than a node of a graph needs (an H200 took 2.17 us for
// each copy of 8 MB in a row of them, where 2.57 us are predicted for one: apod climb transpose, n = 1024).
Span Timeline::issue_node(Stream& stream, double duration_ns, bool fills_device) {
    const double start = std::max(stream_start(stream), engine_ready_[index(Engine::kernel_full)]);
    stream.ready_ns = start + duration_ns;
    if (fills_device) engine_ready_[index(Engine::kernel_full)] = stream.ready_ns;
    return {start, stream.ready_ns};
}

double Timeline::begin_graph(const Stream& stream) {
    const double latency = std::max(costs_.event_ns - event_call_ns, 0.0);
    const double start = std::max(stream_start(stream), host_ns_ + latency);
    host_ns_ += costs_.stream_ns;
    return start;
}

void Timeline::record(Stream& stream, Event& event) {
    event.time_ns = stream.in_graph ? stream.ready_ns : std::max(stream_start(stream), host_ns_);
    event.recorded = true;
    if (!stream.in_graph) host_ns_ += event_call_ns;
}

void Timeline::wait(Stream& stream, const Event& event) {
    if (event.recorded) stream.ready_ns = std::max(stream.ready_ns, event.time_ns);
}

void Timeline::hold(Stream& stream, double for_ns) { stream.ready_ns = std::max(stream.ready_ns, host_ns_ + for_ns); }

void Timeline::host_waits_for(double time_ns) { host_ns_ = std::max(host_ns_, time_ns); }

double Timeline::ready_ns(const Stream& stream) const { return stream_start(stream); }

double Timeline::all_ready_ns() const {
    double latest = 0;
    for (const Stream* stream : streams_) latest = std::max(latest, stream->ready_ns);
    return latest;
}

} // namespace apod::runtime
