#include "bench/chunked_streams.hpp"

#include <utility>

namespace apod::bench {

Result<ChunkedStreams> ChunkedStreams::make(device::Async& async, std::uint32_t most) {
    ChunkedStreams made;
    made.async_ = &async;
    Result<std::unique_ptr<device::Event>> fork = async.make_order_event();
    if (!fork) return fork.error();
    made.fork_ = *std::move(fork);
    for (std::uint32_t i = 1; i < most; ++i) {
        Result<std::unique_ptr<device::Stream>> stream = async.make_stream();
        Result<std::unique_ptr<device::Event>> event = async.make_order_event();
        if (!stream || !event) return stream ? event.error() : stream.error();
        made.streams_.push_back(*std::move(stream));
        made.joins_.push_back(*std::move(event));
    }
    return made;
}

Result<void> ChunkedStreams::queue(device::Stream& timed, std::uint32_t streams, std::size_t chunks, const QueueChunk& queue_chunk) {
    if (streams > 1)
        if (const Result<void> done = timed.record(*fork_); !done) return done;
    for (std::uint32_t i = 0; i + 1 < streams; ++i)
        if (const Result<void> done = streams_[i]->wait(*fork_); !done) return done;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const std::size_t turn = chunk % streams;
        if (const Result<void> done = queue_chunk(turn == 0 ? timed : *streams_[turn - 1], chunk); !done) return done;
    }
    for (std::uint32_t i = 0; i + 1 < streams; ++i) {
        if (const Result<void> done = streams_[i]->record(*joins_[i]); !done) return done;
        if (const Result<void> done = timed.wait(*joins_[i]); !done) return done;
    }
    return {};
}

Result<void> ChunkedStreams::make_stage_events(std::size_t chunks) {
    while (stage_events_.size() < chunks * (stage_streams - 1)) {
        Result<std::unique_ptr<device::Event>> event = async_->make_order_event();
        if (!event) return event.error();
        stage_events_.push_back(*std::move(event));
    }
    return {};
}

Result<void> ChunkedStreams::queue_by_stage(device::Stream& timed, std::size_t chunks,
                                            const std::array<QueueChunk, stage_streams>& stages) {
    if (const Result<void> made = make_stage_events(chunks); !made) return made;
    if (const Result<void> done = timed.record(*fork_); !done) return done;
    const std::array<device::Stream*, stage_streams> streams = {&timed, streams_[0].get(), streams_[1].get()};
    for (std::size_t stage = 1; stage < stage_streams; ++stage)
        if (const Result<void> done = streams[stage]->wait(*fork_); !done) return done;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        for (std::size_t stage = 0; stage < stage_streams; ++stage) {
            device::Event* const before = stage == 0 ? nullptr : stage_events_[chunk * (stage_streams - 1) + stage - 1].get();
            if (before != nullptr)
                if (const Result<void> done = streams[stage]->wait(*before); !done) return done;
            if (const Result<void> done = stages[stage](*streams[stage], chunk); !done) return done;
            if (stage + 1 == stage_streams) continue;
            const Result<void> done = streams[stage]->record(*stage_events_[chunk * (stage_streams - 1) + stage]);
            if (!done) return done;
        }
    }
    if (const Result<void> done = streams.back()->record(*joins_[0]); !done) return done;
    return timed.wait(*joins_[0]); // the last stage ends last
}

} // namespace apod::bench
