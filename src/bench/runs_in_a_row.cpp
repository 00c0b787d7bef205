#include "bench/runs_in_a_row.hpp"

#include <utility>

namespace apod::bench {
namespace {

Result<void> queue_runs(device::Stream& stream, const Work& work, std::uint32_t runs) {
    for (std::uint32_t run = 0; run < runs; ++run)
        if (const Result<void> queued = work(stream); !queued) return queued;
    return {};
}

Result<std::unique_ptr<device::Graph>> capture(device::Stream& stream, const Work& work, std::uint32_t runs) {
    if (const Result<void> begun = stream.begin_capture(); !begun) return begun.error();
    const Result<void> queued = queue_runs(stream, work, runs);
    Result<std::unique_ptr<device::Graph>> graph = stream.end_capture(); // also after a failure: the stream must not stay captured
    if (!queued) return queued.error();
    return graph;
}

} // namespace

Result<std::unique_ptr<RunsInARow>> RunsInARow::make(device::Stream& stream, const Work& work, std::uint32_t runs, bool capture_graphs) {
    std::unique_ptr<RunsInARow> row(new RunsInARow(work, runs));
    if (!capture_graphs) return row;
    for (std::size_t which = 0; which < row->graphs_.size(); ++which) {
        Result<std::unique_ptr<device::Graph>> graph = capture(stream, work, runs * static_cast<std::uint32_t>(which + 1));
        if (!graph) return graph.error();
        row->graphs_[which] = *std::move(graph);
    }
    // A graph's first launch brings it onto the device.
    for (const std::unique_ptr<device::Graph>& graph : row->graphs_)
        if (const Result<void> launched = stream.launch(*graph); !launched) return launched.error();
    if (const Result<void> done = stream.synchronize(); !done) return done.error();
    return row;
}

Result<void> RunsInARow::queue(device::Stream& stream, std::size_t which) const {
    if (captured()) return stream.launch(*graphs_[which]);
    return queue_runs(stream, work_, runs_ * static_cast<std::uint32_t>(which + 1));
}

} // namespace apod::bench
