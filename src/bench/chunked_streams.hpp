// Chunks of work over several streams in turn, beginning and ending in one stream that can be timed.
#pragma once

#include "base/result.hpp"
#include "device/async.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace apod::bench {

class ChunkedStreams {
public:
    // For up to `most` streams, the timed one among them.
    static Result<ChunkedStreams> make(device::Async& async, std::uint32_t most);

    using QueueChunk = std::function<Result<void>(device::Stream& stream, std::size_t chunk)>;
    // Queues every chunk, the n-th in the n-th stream round and round. What was queued in `timed` before comes first, and what is queued in
    // it later waits for all chunks. `streams` is at most `most`.
    Result<void> queue(device::Stream& timed, std::uint32_t streams, std::size_t chunks, const QueueChunk& queue_chunk);

    // A stream for each stage, the timed one for the first: of a chunk a stage waits for the one before. Copies of one kind follow each
    // other in one stream then, with shorter gaps than from stream to stream. Made for at least stage_streams.
    static constexpr std::uint32_t stage_streams = 3;
    Result<void> queue_by_stage(device::Stream& timed, std::size_t chunks, const std::array<QueueChunk, stage_streams>& stages);

private:
    Result<void> make_stage_events(std::size_t chunks);

    device::Async* async_ = nullptr;
    std::vector<std::unique_ptr<device::Event>> stage_events_; // a chunk's end of each stage but the last
    std::vector<std::unique_ptr<device::Stream>> streams_;     // the first of all is the one that is timed
    std::vector<std::unique_ptr<device::Event>> joins_;
    std::unique_ptr<device::Event> fork_;
};

} // namespace apod::bench
