#include "transfer/pipeline.hpp"

#include "base/chunks.hpp"
#include "bench/chunked_streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace apod::transfer {
namespace {

constexpr std::uint32_t most_streams = 8;
constexpr std::uint32_t stream_counts[] = {1, 2, 3, 4, most_streams};
constexpr std::uint32_t chunk_counts[] = {1, 2, 4, 8, 16, 32, 64};
constexpr std::uint64_t smallest_chunk = 4096;

class PipelineMeter {
public:
    explicit PipelineMeter(const Session& session, std::uint64_t bytes) : session_(session), bytes_(bytes) {}

    Result<void> prepare() {
        device::Async& async = session_.async();
        for (std::unique_ptr<device::HostMemory>* host : {&in_, &out_}) {
            Result<std::unique_ptr<device::HostMemory>> memory = async.allocate_host(device::HostMemoryKind::pinned, bytes_);
            if (!memory) return memory.error();
            *host = *std::move(memory);
            std::fill((*host)->bytes().begin(), (*host)->bytes().end(), std::byte{0});
        }
        Result<DeviceMemory> memory = DeviceMemory::allocate(session_.device(), bytes_, "pipeline");
        if (!memory) return memory.error();
        device_.emplace(*std::move(memory));
        Result<bench::ChunkedStreams> streams = bench::ChunkedStreams::make(async, most_streams);
        if (!streams) return streams.error();
        streams_.emplace(*std::move(streams));
        return {};
    }

    // The stream that is timed is the first of the pipeline's.
    Result<void> queue(device::Stream& timed, std::uint32_t streams, std::uint32_t chunks) {
        const std::vector<Chunk> parts = split_in_chunks(bytes_, chunks, 256);
        return streams_->queue(timed, streams, parts.size(), [&](device::Stream& stream, std::size_t chunk) {
            return queue_chunk(stream, parts[chunk].first, parts[chunk].count);
        });
    }

    Result<void> copy_in(device::Stream& stream, std::uint64_t first, std::uint64_t bytes) {
        return stream.write(device_->address() + first, in_->bytes().subspan(first, bytes));
    }
    Result<void> kernel(device::Stream& stream, std::uint64_t first, std::uint64_t bytes) {
        return session_.scale(stream, device_->address() + first, device_->address() + first, bytes / sizeof(float), 1);
    }
    Result<void> copy_out(device::Stream& stream, std::uint64_t first, std::uint64_t bytes) {
        return stream.read(out_->bytes().subspan(first, bytes), device_->address() + first);
    }

private:
    Result<void> queue_chunk(device::Stream& stream, std::uint64_t first, std::uint64_t bytes) {
        if (const Result<void> done = copy_in(stream, first, bytes); !done) return done;
        if (const Result<void> done = kernel(stream, first, bytes); !done) return done;
        return copy_out(stream, first, bytes);
    }

    const Session& session_;
    std::uint64_t bytes_;
    std::unique_ptr<device::HostMemory> in_;
    std::unique_ptr<device::HostMemory> out_;
    std::optional<DeviceMemory> device_;
    std::optional<bench::ChunkedStreams> streams_;
};

} // namespace

Result<Pipeline> measure_pipeline(const Session& session, std::uint64_t bytes) {
    PipelineMeter meter(session, bytes);
    if (const Result<void> prepared = meter.prepare(); !prepared) return prepared.error();
    Pipeline pipeline;
    pipeline.bytes = bytes;
    const auto alone = [&](double& time_ns, auto member) -> Result<void> {
        const Result<bench::Summary> took =
            session.by_events("alone", [&](device::Stream& stream) { return (meter.*member)(stream, 0, bytes); });
        if (!took) return took.error();
        time_ns = took->median;
        return {};
    };
    session.progress("pipeline");
    if (const Result<void> done = alone(pipeline.in_ns, &PipelineMeter::copy_in); !done) return done.error();
    if (const Result<void> done = alone(pipeline.kernel_ns, &PipelineMeter::kernel); !done) return done.error();
    if (const Result<void> done = alone(pipeline.out_ns, &PipelineMeter::copy_out); !done) return done.error();
    for (const std::uint32_t streams : stream_counts) {
        for (const std::uint32_t chunks : chunk_counts) {
            if (chunks < streams || bytes / chunks < smallest_chunk || (streams == 1 && chunks > 1)) continue;
            session.progress(fmt::format("pipeline, {} streams, {} chunks", streams, chunks));
            const Result<bench::Summary> took =
                session.by_events("pipeline", [&](device::Stream& stream) { return meter.queue(stream, streams, chunks); });
            if (!took) return took.error();
            pipeline.points.push_back({streams, chunks, took->median});
        }
    }
    return pipeline;
}

} // namespace apod::transfer
