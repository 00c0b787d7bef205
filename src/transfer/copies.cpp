#include "transfer/copies.hpp"

#include "base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

namespace apod::transfer {
namespace {

using Bytes = std::span<std::byte>;

device::HostMemoryKind driver_kind(HostKind kind) {
    switch (kind) {
    case HostKind::write_combined: return device::HostMemoryKind::write_combined;
    case HostKind::mapped: return device::HostMemoryKind::mapped;
    case HostKind::managed: return device::HostMemoryKind::managed;
    default: return device::HostMemoryKind::pinned;
    }
}

// Memory of one curve, as large as its largest copy.
struct Buffers {
    std::vector<std::byte> pageable;
    std::unique_ptr<device::HostMemory> host;
    std::unique_ptr<device::HostMemory> other_host; // both ways at once
    std::optional<DeviceMemory> device;
    std::optional<DeviceMemory> other_device;

    [[nodiscard]] Bytes host_bytes() { return host ? host->bytes() : Bytes(pageable); }
};

class CopyMeter {
public:
    CopyMeter(const Session& session, HostKind kind, Direction direction) : session_(session), kind_(kind), direction_(direction) {}

    Result<void> prepare(std::uint64_t largest) {
        device::Async& async = session_.async();
        Result<std::unique_ptr<device::Stream>> stream = async.make_stream();
        if (!stream) return stream.error();
        stream_ = *std::move(stream);
        if (const Result<void> ready = allocate_on_device(largest); !ready) return ready;
        if (direction_ == Direction::within_device) return {};
        if (kind_ == HostKind::pageable) {
            buffers_.pageable.assign(largest, std::byte{1});
            return {};
        }
        for (std::unique_ptr<device::HostMemory>* host : {&buffers_.host, &buffers_.other_host}) {
            if (host == &buffers_.other_host && direction_ != Direction::both_ways) continue;
            Result<std::unique_ptr<device::HostMemory>> memory = async.allocate_host(driver_kind(kind_), largest);
            if (!memory) return memory.error();
            *host = *std::move(memory);
            std::memset((*host)->bytes().data(), 1, largest);
        }
        return direction_ == Direction::both_ways ? prepare_second_stream() : Result<void>();
    }

    Result<CopyPoint> measure(std::uint64_t bytes) {
        CopyPoint point;
        point.bytes = direction_ == Direction::both_ways ? 2 * bytes : bytes;
        const std::string name = fmt::format("{}, {}, {}", to_text(kind_), to_text(direction_), format_bytes_binary(double(bytes)));
        session_.progress(name);
        if (kind_ == HostKind::managed) return measure_managed(name, bytes, point);
        if (kind_ == HostKind::pageable) {
            Result<bench::Summary> host = session_.by_host(name, [&] { return blocking(bytes); });
            if (!host) return host.error();
            point.host_ns = *host;
            return point;
        }
        Result<bench::Summary> events = session_.by_events(name, [&](device::Stream& stream) { return queue(stream, bytes); });
        if (!events) return events.error();
        point.event_ns = *events;
        Result<bench::Summary> host = session_.by_host(name, [&] { return queue_and_wait(bytes); });
        if (!host) return host.error();
        point.host_ns = *host;
        return point;
    }

private:
    Result<void> allocate_on_device(std::uint64_t largest) {
        const bool two = direction_ == Direction::both_ways || direction_ == Direction::within_device;
        for (std::optional<DeviceMemory>* memory : {&buffers_.device, &buffers_.other_device}) {
            if (memory == &buffers_.other_device && !two) continue;
            Result<DeviceMemory> made = DeviceMemory::allocate(session_.device(), largest, "transfer");
            if (!made) return made.error();
            memory->emplace(*std::move(made));
            if (const Result<void> filled = session_.device().fill((*memory)->address(), std::byte{1}, largest); !filled) return filled;
        }
        return {};
    }

    Result<void> prepare_second_stream() {
        Result<std::unique_ptr<device::Stream>> stream = session_.async().make_stream();
        if (!stream) return stream.error();
        second_ = *std::move(stream);
        for (std::unique_ptr<device::Event>* event : {&fork_, &join_}) {
            Result<std::unique_ptr<device::Event>> made = session_.async().make_event();
            if (!made) return made.error();
            *event = *std::move(made);
        }
        return {};
    }

    // The plain call that returns when it is done.
    Result<void> blocking(std::uint64_t bytes) {
        const device::Address device = buffers_.device->address();
        const Bytes host = buffers_.host_bytes().first(bytes);
        return direction_ == Direction::to_device ? session_.device().write(device, host) : session_.device().read(host, device);
    }

    Result<void> queue_and_wait(std::uint64_t bytes) {
        if (const Result<void> queued = queue(*stream_, bytes); !queued) return queued;
        return stream_->synchronize();
    }

    Result<void> queue(device::Stream& stream, std::uint64_t bytes) {
        const device::Address device = buffers_.device->address();
        if (direction_ == Direction::within_device) return stream.copy(buffers_.other_device->address(), device, bytes);
        if (direction_ == Direction::both_ways) return queue_both(stream, bytes);
        const bool in = direction_ == Direction::to_device;
        if (kind_ == HostKind::mapped) {
            const device::Address host = buffers_.host->device_address();
            return session_.copy_by_kernel(stream, in ? device : host, in ? host : device, bytes);
        }
        const Bytes host = buffers_.host_bytes().first(bytes);
        return in ? stream.write(device, host) : stream.read(host, device);
    }

    // The second stream starts with the first, and the first waits for it at the end.
    Result<void> queue_both(device::Stream& stream, std::uint64_t bytes) {
        if (const Result<void> done = stream.record(*fork_); !done) return done;
        if (const Result<void> done = second_->wait(*fork_); !done) return done;
        if (const Result<void> done = stream.write(buffers_.device->address(), buffers_.host->bytes().first(bytes)); !done) return done;
        if (const Result<void> done = second_->read(buffers_.other_host->bytes().first(bytes), buffers_.other_device->address()); !done)
            return done;
        if (const Result<void> done = second_->record(*join_); !done) return done;
        return stream.wait(*join_);
    }

    // Pages move when they are touched: the host touches all before each run to the device, a kernel before each run back.
    Result<CopyPoint> measure_managed(const std::string& name, std::uint64_t bytes, CopyPoint point) {
        const device::Address device = buffers_.device->address();
        const device::Address managed = buffers_.host->device_address();
        const auto host_touches = [this, bytes]() -> Result<void> {
            std::memset(buffers_.host->bytes().data(), 1, bytes);
            return {};
        };
        const auto host_reads = [this, bytes]() -> Result<void> {
            const Bytes memory = buffers_.host->bytes();
            for (std::size_t i = 0; i < bytes; i += 64) sink_ = sink_ + static_cast<unsigned>(memory[i]);
            return {};
        };
        const auto kernel = [this, bytes](device::Address to, device::Address from) -> Result<void> {
            if (const Result<void> queued = session_.copy_by_kernel(*stream_, to, from, bytes); !queued) return queued;
            return stream_->synchronize();
        };
        Result<bench::Summary> host = direction_ == Direction::to_device
                                          ? session_.by_host(
                                                name, [&] { return kernel(device, managed); }, host_touches)
                                          : session_.by_host(name, host_reads, [&] { return kernel(managed, device); });
        if (!host) return host.error();
        point.host_ns = *host;
        return point;
    }

    const Session& session_;
    HostKind kind_;
    Direction direction_;
    Buffers buffers_;
    std::unique_ptr<device::Stream> stream_;
    std::unique_ptr<device::Stream> second_;
    std::unique_ptr<device::Event> fork_;
    std::unique_ptr<device::Event> join_;
    volatile unsigned sink_ = 0;
};

} // namespace

CopyCurve measure_copies(const Session& session, HostKind kind, Direction direction) {
    CopyCurve curve;
    curve.kind = kind;
    curve.direction = direction;
    const Options& options = session.options();
    const std::uint64_t largest = kind == HostKind::managed ? std::min(options.largest, options.largest_managed) : options.largest;
    CopyMeter meter(session, kind, direction);
    if (const Result<void> prepared = meter.prepare(largest); !prepared) {
        curve.problem = prepared.error().message;
        return curve;
    }
    for (const std::uint64_t bytes : sizes_of(std::min(options.smallest, largest), largest, options.step)) {
        Result<CopyPoint> point = meter.measure(bytes);
        if (!point) {
            curve.problem = point.error().message;
            break;
        }
        curve.points.push_back(*std::move(point));
    }
    return curve;
}

CopyCurve measure_between(const Session& session, device::Device& other) {
    CopyCurve curve;
    curve.kind = HostKind::none;
    curve.direction = Direction::between_devices;
    const Options& options = session.options();
    Result<DeviceMemory> from = DeviceMemory::allocate(session.device(), options.largest, "transfer, here");
    Result<DeviceMemory> to = DeviceMemory::allocate(other, options.largest, "transfer, there");
    if (!from || !to) {
        curve.problem = from ? to.error().message : from.error().message;
        return curve;
    }
    for (const std::uint64_t bytes : sizes_of(options.smallest, options.largest, options.step)) {
        session.progress(fmt::format("to {}, {}", other.id(), format_bytes_binary(static_cast<double>(bytes))));
        CopyPoint point;
        point.bytes = bytes;
        Result<bench::Summary> events =
            session.by_events("between", [&](device::Stream& stream) { return stream.copy(to->address(), from->address(), bytes); });
        if (!events) {
            curve.problem = events.error().message;
            break;
        }
        point.event_ns = *events;
        point.host_ns = *events;
        curve.points.push_back(point);
    }
    return curve;
}

} // namespace apod::transfer
