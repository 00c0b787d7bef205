// Rungs whose time includes the way from and to the host: the host's memory, the chunks, one run of all, and its time.
#pragma once

#include "apod/pipeline.hpp"
#include "base/chunks.hpp"
#include "base/result.hpp"
#include "bench/chunked_streams.hpp"
#include "bench/stopwatch.hpp"
#include "bench/target.hpp"
#include "device/async.hpp"
#include "ladder/bind.hpp"
#include "ladder/climb.hpp"
#include "ladder/device_buffers.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apod::ladder {

// A rung's pipeline for a climb's parameters.
struct PipelineStep {
    PipelineShape shape;
    std::vector<Chunk> chunks;                      // in elements
    std::vector<std::vector<BoundLaunch>> launches; // of each chunk
};

// Memory of the host for one buffer.
struct HostArea {
    std::vector<std::byte> own;                   // pageable; and on a device without a clock all kinds
    std::unique_ptr<device::HostMemory> locked;   // page-locked
    std::optional<device::Address> stand_in = {}; // mapped, on a device that cannot map: what kernels use in its place
    std::span<std::byte> bytes;
    device::Address address = 0; // for kernels, where mapped
};

class PipelineRunner {
public:
    PipelineRunner(device::Device& device, const TimingOptions& options) : device_(device), options_(options) {}
    PipelineRunner(const PipelineRunner&) = delete;
    PipelineRunner& operator=(const PipelineRunner&) = delete;
    ~PipelineRunner();

    // Every buffer but work buffers goes one way or both; all must have as many elements. The launches are those of each chunk.
    Result<PipelineStep> make(const Rung& rung, const std::vector<std::shared_ptr<device::Code>>& modules, const DeviceBuffers& buffers,
                              const Environment& parameters);

    // Data and results as before each rung, but on the host: the device's have to come by copies. Then everything once, one step after the
    // other; a record for each launch of each chunk.
    Result<void> prepare(const PipelineStep& step, DeviceBuffers& buffers);
    Result<std::vector<LaunchRecord>> run(PipelineStep& step);
    // The same through streams, where the device has some; false where not.
    Result<bool> run_overlapped(PipelineStep& step);
    // What is on the host now.
    Result<HostContents> results(const PipelineStep& step);

    // Measured, predicted or recorded; nothing where the device tells none of them. `records` are those of run().
    Result<std::optional<PipelineRecord>> time(PipelineStep& step, const std::vector<LaunchRecord>& records);

private:
    using Areas = std::vector<HostArea>; // one a buffer; without bytes for those that stay on the device
    using Part = std::function<Result<void>(device::Stream&, std::size_t chunk)>; // queues a chunk, or a part of it

    Result<Areas*> areas(HostKind kind, const DeviceBuffers& buffers);
    Result<void> allocate(HostKind kind, std::uint64_t bytes, const std::string& name, HostArea& area);
    [[nodiscard]] std::span<std::byte> piece(const PipelineStep& step, std::size_t buffer, const Chunk& chunk);
    Result<void> copy_in(PipelineStep& step, device::Stream& stream, const Chunk& chunk);
    Result<void> launch(PipelineStep& step, device::Stream& stream, std::size_t chunk);
    Result<void> copy_out(PipelineStep& step, device::Stream& stream, const Chunk& chunk);
    Result<void> queue(PipelineStep& step, device::Stream& stream);
    Result<void> make_streams(std::uint32_t most);
    Result<Quantity> measure(const PipelineStep& step, const std::string& name, const std::function<Result<void>(device::Stream&)>& work);
    Result<PipelineRecord> measure_all(PipelineStep& step);

    device::Device& device_;
    const TimingOptions& options_;
    std::vector<BoundBuffer> bound_;
    std::vector<Role> roles_;
    std::vector<std::size_t> element_bytes_;
    std::array<Areas, 3> areas_; // by HostKind
    std::shared_ptr<bench::Stopwatch> stopwatch_;
    std::unique_ptr<device::Stream> stream_;
    std::optional<bench::ChunkedStreams> chunked_;
    std::uint32_t most_streams_ = 0;
};

} // namespace apod::ladder
