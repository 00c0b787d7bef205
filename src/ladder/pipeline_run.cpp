#include "ladder/pipeline_run.hpp"

#include "bench/host_target.hpp"
#include "bench/sampler.hpp"
#include "bench/stream_target.hpp"
#include "device/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace apod::ladder {

namespace {

constexpr std::uint64_t chunk_multiple = 1024; // elements: chunks begin at whole lines of memory
constexpr std::uint64_t most_chunks = 4096;
constexpr std::uint64_t most_streams = 32;
constexpr std::byte all_set{0xff};

bool comes_in(Role role) { return role == Role::in || role == Role::inout; }
bool goes_out(Role role) { return role == Role::out || role == Role::inout; }
bool travels(Role role) { return role != Role::work; }

// 1 where it is not given.
Result<std::uint32_t> number(const std::optional<Expression>& expression, const Environment& parameters, std::string_view what,
                             std::uint64_t most) {
    if (!expression) return 1u;
    const auto value = expression->evaluate_count(parameters, what, 1);
    if (!value) return value.error();
    if (*value > most) return bad_input(expression->where(), fmt::format("{} is {}, and may be at most {}", what, *value, most));
    return static_cast<std::uint32_t>(*value);
}

bool has_clock(device::Device& device) { return device.async() != nullptr && device.async()->clock_source() == Source::measured; }

// A launch's time without what events around it would add: in a stream nothing is around it.
double kernel_ns(const LaunchRecord& record) {
    const auto found = record.metrics.find("gpu__time_duration.sum");
    return found == record.metrics.end() ? record.time_ns.value : found->second.value;
}

} // namespace

PipelineRunner::~PipelineRunner() {
    for (const Areas& areas : areas_)
        for (const HostArea& area : areas)
            if (area.stand_in) (void)device_.free(*area.stand_in).ok();
}

Result<PipelineStep> PipelineRunner::make(const Rung& rung, const std::vector<std::shared_ptr<device::Code>>& modules,
                                          const DeviceBuffers& buffers, const Environment& parameters) {
    const PipelinePlan& plan = *rung.pipeline;
    PipelineStep step;
    step.shape.host = plan.host;
    for (const auto& [target, expression, what, most] : {std::tuple{&step.shape.chunks, &plan.chunks, "chunks", most_chunks},
                                                         std::tuple{&step.shape.streams, &plan.streams, "streams", most_streams}}) {
        const auto value = number(*expression, parameters, what, most);
        if (!value) return value.error();
        *target = *value;
    }
    step.shape.by_stage = plan.by_stage;
    if (plan.by_stage) step.shape.streams = bench::ChunkedStreams::stage_streams;
    std::optional<std::uint64_t> elements;
    for (const HostBuffer& buffer : buffers.host()) {
        if (!travels(buffer.role)) continue;
        if (!elements) elements = buffer.elements();
        if (*elements != buffer.elements())
            return bad_input(plan.where,
                             fmt::format("'{}' has {} elements and another buffer {}: they cannot be cut into the same chunks", buffer.name,
                                         buffer.elements(), *elements),
                             "give buffers that do not travel role = \"work\"");
        if (comes_in(buffer.role)) step.shape.bytes_in += buffer.size_bytes();
        if (goes_out(buffer.role)) step.shape.bytes_out += buffer.size_bytes();
    }
    const auto made = areas(plan.host, buffers);
    if (!made) return made.error();
    step.chunks = split_in_chunks(elements.value_or(0), step.shape.chunks, chunk_multiple);
    for (const Chunk& chunk : step.chunks) {
        Environment own = parameters;
        own["chunk"] = static_cast<std::int64_t>(chunk.count);
        std::vector<BoundBuffer> shifted = buffers.bound();
        for (std::size_t i = 0; i < shifted.size(); ++i) {
            if (!travels(roles_[i])) continue;
            if (plan.host == HostKind::mapped) shifted[i].address = (**made)[i].address;
            shifted[i].address += chunk.first * element_bytes_[i];
        }
        std::vector<BoundLaunch>& launches = step.launches.emplace_back();
        for (const KernelLaunch& launch : rung.launches) {
            auto bound = bind_launch(launch, modules, shifted, own);
            if (!bound) return bound.error();
            launches.push_back(*std::move(bound));
        }
    }
    return step;
}

Result<PipelineRunner::Areas*> PipelineRunner::areas(HostKind kind, const DeviceBuffers& buffers) {
    Areas& made = areas_[static_cast<std::size_t>(kind)];
    if (!made.empty()) return &made;
    bound_ = buffers.bound();
    roles_.clear();
    element_bytes_.clear();
    Areas fresh(buffers.host().size());
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        const HostBuffer& buffer = buffers.host()[i];
        roles_.push_back(buffer.role);
        element_bytes_.push_back(apod::ladder::element_bytes(buffer.type));
        if (!travels(buffer.role)) continue;
        if (const Result<void> done = allocate(kind, buffer.size_bytes(), buffer.name, fresh[i]); !done) return done.error();
    }
    made = std::move(fresh);
    return &made;
}

Result<void> PipelineRunner::allocate(HostKind kind, std::uint64_t bytes, const std::string& name, HostArea& area) {
    if (kind != HostKind::pageable && has_clock(device_)) {
        Result<std::unique_ptr<device::HostMemory>> memory = device_.async()->allocate_host(
            kind == HostKind::mapped ? device::HostMemoryKind::mapped : device::HostMemoryKind::pinned, bytes);
        if (!memory) return memory.error();
        area.locked = *std::move(memory);
        area.bytes = area.locked->bytes();
        area.address = area.locked->device_address();
        return {};
    }
    area.own.resize(bytes);
    area.bytes = area.own;
    if (kind != HostKind::mapped) return {};
    const Result<device::Address> address = device_.allocate(bytes, name + " on the host");
    if (!address) return address.error();
    area.stand_in = *address;
    area.address = *address;
    return {};
}

std::span<std::byte> PipelineRunner::piece(const PipelineStep& step, std::size_t buffer, const Chunk& chunk) {
    const std::size_t size = element_bytes_[buffer];
    return areas_[static_cast<std::size_t>(step.shape.host)][buffer].bytes.subspan(chunk.first * size, chunk.count * size);
}

Result<void> PipelineRunner::prepare(const PipelineStep& step, DeviceBuffers& buffers) {
    if (Result<void> done = buffers.prepare(); !done) return done;
    Areas& areas = areas_[static_cast<std::size_t>(step.shape.host)];
    for (std::size_t i = 0; i < areas.size(); ++i) {
        if (!travels(roles_[i])) continue;
        const HostBuffer& host = buffers.host()[i];
        Result<void> done;
        if (comes_in(roles_[i])) {
            std::copy(host.bytes.begin(), host.bytes.end(), areas[i].bytes.begin());
        } else {
            done = device_.read(areas[i].bytes, bound_[i].address); // poison
        }
        if (done && areas[i].stand_in) done = device_.write(*areas[i].stand_in, areas[i].bytes);
        // What the device has must come by a copy.
        if (done && comes_in(roles_[i])) done = device_.fill(bound_[i].address, all_set, host.size_bytes());
        if (!done) return done;
    }
    return {};
}

Result<std::vector<LaunchRecord>> PipelineRunner::run(PipelineStep& step) {
    const bool copies = step.shape.host != HostKind::mapped;
    std::vector<LaunchRecord> records;
    for (std::size_t chunk = 0; chunk < step.chunks.size(); ++chunk) {
        const Chunk& part = step.chunks[chunk];
        for (std::size_t i = 0; copies && i < roles_.size(); ++i) {
            if (!comes_in(roles_[i])) continue;
            const auto done = device_.write(bound_[i].address + part.first * element_bytes_[i], piece(step, i, part));
            if (!done) return done.error();
        }
        for (BoundLaunch& bound : step.launches[chunk]) {
            auto record = device_.launch(*bound.kernel, bound.launch);
            if (!record) {
                Diagnostic error = record.error();
                if (error.where.file.empty()) error.where = bound.where;
                return error;
            }
            record->index = static_cast<std::uint32_t>(records.size());
            records.push_back(*std::move(record));
        }
        for (std::size_t i = 0; copies && i < roles_.size(); ++i) {
            if (!goes_out(roles_[i])) continue;
            const auto done = device_.read(piece(step, i, part), bound_[i].address + part.first * element_bytes_[i]);
            if (!done) return done.error();
        }
    }
    return records;
}

Result<HostContents> PipelineRunner::results(const PipelineStep& step) {
    HostContents contents;
    Areas& areas = areas_[static_cast<std::size_t>(step.shape.host)];
    for (std::size_t i = 0; i < areas.size(); ++i) {
        if (!goes_out(roles_[i])) continue;
        if (areas[i].stand_in)
            if (const auto done = device_.read(areas[i].bytes, *areas[i].stand_in); !done) return done.error();
        contents[i] = areas[i].bytes;
    }
    return contents;
}

Result<void> PipelineRunner::copy_in(PipelineStep& step, device::Stream& stream, const Chunk& chunk) {
    for (std::size_t i = 0; i < roles_.size(); ++i) {
        if (!comes_in(roles_[i])) continue;
        const auto done = stream.write(bound_[i].address + chunk.first * element_bytes_[i], piece(step, i, chunk));
        if (!done) return done;
    }
    return {};
}

Result<void> PipelineRunner::launch(PipelineStep& step, device::Stream& stream, std::size_t chunk) {
    for (BoundLaunch& bound : step.launches[chunk])
        if (const auto done = stream.launch(*bound.kernel, bound.launch); !done) return done;
    return {};
}

Result<void> PipelineRunner::copy_out(PipelineStep& step, device::Stream& stream, const Chunk& chunk) {
    for (std::size_t i = 0; i < roles_.size(); ++i) {
        if (!goes_out(roles_[i])) continue;
        const auto done = stream.read(piece(step, i, chunk), bound_[i].address + chunk.first * element_bytes_[i]);
        if (!done) return done;
    }
    return {};
}

Result<void> PipelineRunner::queue(PipelineStep& step, device::Stream& stream) {
    const bool copies = step.shape.host != HostKind::mapped;
    const auto in = [&](device::Stream& own, std::size_t chunk) {
        return copies ? copy_in(step, own, step.chunks[chunk]) : Result<void>();
    };
    const auto kernels = [&](device::Stream& own, std::size_t chunk) { return launch(step, own, chunk); };
    const auto out = [&](device::Stream& own, std::size_t chunk) {
        return copies ? copy_out(step, own, step.chunks[chunk]) : Result<void>();
    };
    if (step.shape.by_stage) return chunked_->queue_by_stage(stream, step.chunks.size(), {in, kernels, out});
    return chunked_->queue(stream, step.shape.streams, step.chunks.size(), [&](device::Stream& own, std::size_t chunk) -> Result<void> {
        if (const auto done = in(own, chunk); !done) return done;
        if (const auto done = kernels(own, chunk); !done) return done;
        return out(own, chunk);
    });
}

Result<void> PipelineRunner::make_streams(std::uint32_t most) {
    if (stream_ == nullptr) {
        auto stopwatch = bench::Stopwatch::make(device_);
        if (!stopwatch) return stopwatch.error();
        stopwatch_ = *std::move(stopwatch);
        auto stream = device_.async()->make_stream();
        if (!stream) return stream.error();
        stream_ = *std::move(stream);
    }
    if (most <= most_streams_) return {};
    Result<bench::ChunkedStreams> made = bench::ChunkedStreams::make(*device_.async(), most);
    if (!made) return made.error();
    chunked_.emplace(*std::move(made));
    most_streams_ = most;
    return {};
}

Result<bool> PipelineRunner::run_overlapped(PipelineStep& step) {
    if (!options_.on || !has_clock(device_)) return false;
    if (const auto made = make_streams(step.shape.streams); !made) return made.error();
    if (const auto queued = queue(step, *stream_); !queued) return queued.error();
    if (const auto done = stream_->synchronize(); !done) return done.error();
    return true;
}

// Copies of pageable memory make the host wait: its clock times them. All else is timed by events.
Result<Quantity> PipelineRunner::measure(const PipelineStep& step, const std::string& name,
                                         const std::function<Result<void>(device::Stream&)>& work) {
    bench::Plan plan;
    plan.warm_up_s = options_.warm_up_s;
    plan.most_runs = 1;
    plan.stopping.shortest_s = options_.shortest_s;
    plan.stopping.timeout_s = options_.timeout_s;
    const auto sampled = [&](bench::Target& target) -> Result<Quantity> {
        const Result<bench::Measurement> measured = bench::sample_one(target, plan);
        if (!measured) return measured.error();
        return Quantity{measured->time_ns.median, Source::measured, measured->time_ns.noise()};
    };
    if (step.shape.host == HostKind::pageable) {
        bench::HostTarget target(name, [&]() -> Result<void> {
            if (const auto queued = work(*stream_); !queued) return queued;
            return stream_->synchronize();
        });
        return sampled(target);
    }
    bench::StreamTarget target(stopwatch_, name, work, bench::Caches::hot);
    return sampled(target);
}

Result<PipelineRecord> PipelineRunner::measure_all(PipelineStep& step) {
    if (const auto made = make_streams(step.shape.streams); !made) return made.error();
    PipelineRecord record;
    record.shape = step.shape;
    auto whole = measure(step, "pipeline", [&](device::Stream& stream) { return queue(step, stream); });
    if (!whole) return whole.error();
    record.time_ns = *whole;
    if (step.shape.host == HostKind::mapped) return record;
    const Chunk& last = step.chunks.back();
    const Chunk all = {0, last.first + last.count};
    const auto kernels = [&](device::Stream& stream) -> Result<void> {
        for (std::size_t chunk = 0; chunk < step.chunks.size(); ++chunk)
            if (const auto done = launch(step, stream, chunk); !done) return done;
        return {};
    };
    auto in = measure(step, "copy in", [&](device::Stream& stream) { return copy_in(step, stream, all); });
    if (!in) return in.error();
    auto kernel = measure(step, "kernels", kernels);
    if (!kernel) return kernel.error();
    auto out = measure(step, "copy out", [&](device::Stream& stream) { return copy_out(step, stream, all); });
    if (!out) return out.error();
    record.copy_in_ns = *in;
    record.kernel_ns = *kernel;
    record.copy_out_ns = *out;
    if (!record.overlaps()) return record;
    const auto both_ways = [&](device::Stream& stream) {
        return chunked_->queue(stream, 2, 2, [&](device::Stream& own, std::size_t way) {
            return way == 0 ? copy_in(step, own, all) : copy_out(step, own, all);
        });
    };
    auto both = measure(step, "both ways", both_ways);
    if (!both) return both.error();
    record.both_ways_ns = *both;
    return record;
}

Result<std::optional<PipelineRecord>> PipelineRunner::time(PipelineStep& step, const std::vector<LaunchRecord>& records) {
    if (step.chunks.empty()) return std::optional<PipelineRecord>();
    if (options_.on && has_clock(device_)) {
        auto measured = measure_all(step);
        if (!measured) return measured.error();
        return std::optional<PipelineRecord>(*std::move(measured));
    }
    device::PipelineTimes* const times = device::pipeline_times(device_);
    if (times == nullptr) return std::optional<PipelineRecord>();
    std::vector<double> kernels(step.chunks.size(), 0);
    const std::size_t each = records.size() / step.chunks.size();
    for (std::size_t i = 0; i < records.size(); ++i) kernels[i / std::max<std::size_t>(each, 1)] += kernel_ns(records[i]);
    auto told = times->pipeline(step.shape, kernels);
    if (!told) return told.error();
    return std::optional<PipelineRecord>(*std::move(told));
}

} // namespace apod::ladder
