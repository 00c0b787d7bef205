// Everything that a stream executes but kernels: copies, fills, host functions, events.
#include "runtime/core/pool.hpp"
#include "runtime/core/runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace apod::runtime {
namespace {

Engine engine_of(Direction direction) {
    switch (direction) {
    case Direction::host_to_device: return Engine::copy_in;
    case Direction::device_to_host: return Engine::copy_out;
    default: return Engine::none;
    }
}

// From the first byte to the last, pitches included; the rows of a copy lie within.
std::uint64_t extent(std::uint64_t width, std::uint64_t height, std::uint64_t depth, std::uint64_t pitch, std::uint64_t slice) {
    if (width == 0 || height == 0 || depth == 0) return 0;
    return (depth - 1) * slice + (height - 1) * pitch + width;
}

void move_box(const CopyWork& copy) {
    auto* to = static_cast<std::byte*>(copy.to);
    const auto* from = static_cast<const std::byte*>(copy.from);
    for (std::uint64_t slice = 0; slice < copy.depth; ++slice)
        for (std::uint64_t row = 0; row < copy.height; ++row)
            std::memmove(to + slice * copy.to_slice + row * copy.to_pitch, from + slice * copy.from_slice + row * copy.from_pitch,
                         copy.width);
}

void fill_row(std::byte* row, const FillWork& fill) {
    if (fill.element_bytes == 1) {
        std::memset(row, static_cast<int>(fill.value & 0xffu), fill.width);
        return;
    }
    for (std::uint64_t at = 0; at + fill.element_bytes <= fill.width; at += fill.element_bytes)
        std::memcpy(row + at, &fill.value, fill.element_bytes); // little endian: the low bytes come first
}

} // namespace

bool Runtime::on_device(const void* address, std::uint64_t bytes) const {
    const auto at = reinterpret_cast<emu::DeviceAddress>(address);
    const auto allocation = memory_->find(at);
    return allocation && at + bytes <= allocation->base + allocation->bytes;
}

Error Runtime::beyond(const char* direction, const void* address, std::uint64_t bytes) const {
    const auto at = reinterpret_cast<emu::DeviceAddress>(address);
    const auto allocation = memory_->find(at);
    if (!allocation)
        return because(Error::invalid_value, fmt::format("{} bytes {} {:#x}, which is no memory of the device", bytes, direction, at));
    return because(Error::invalid_value, fmt::format("{} bytes {} {:#x}, {} bytes from the start of an allocation of {}", bytes, direction,
                                                     at, at - allocation->base, allocation->bytes));
}

bool Runtime::is_pinned(const void* address) const {
    return memory_table_->find(reinterpret_cast<emu::DeviceAddress>(address)).has_value();
}

Error Runtime::execute(Stream& stream, const CopyWork& work) {
    if (work.bytes() == 0) return Error::success;
    if (work.to == nullptr || work.from == nullptr)
        return because(Error::invalid_value,
                       fmt::format("it copies {} bytes {} a null pointer", work.bytes(), work.to == nullptr ? "to" : "from"));
    const std::uint64_t to_bytes = extent(work.width, work.height, work.depth, work.to_pitch, work.to_slice);
    const std::uint64_t from_bytes = extent(work.width, work.height, work.depth, work.from_pitch, work.from_slice);
    const auto host_memory = [this](const void* address) {
        const auto held = memory_table_->find(reinterpret_cast<emu::DeviceAddress>(address));
        return held && (held->kind == MemoryKind::host || held->kind == MemoryKind::registered);
    };
    bool to_device = work.kind == CopyKind::host_to_device || work.kind == CopyKind::device_to_device;
    bool from_device = work.kind == CopyKind::device_to_host || work.kind == CopyKind::device_to_device;
    if (work.kind == CopyKind::automatic) {
        to_device = on_device(work.to, 1) && !host_memory(work.to);
        from_device = on_device(work.from, 1) && !host_memory(work.from);
    }
    if (to_device && !on_device(work.to, to_bytes)) return beyond("to", work.to, to_bytes);
    if (from_device && !on_device(work.from, from_bytes)) return beyond("from", work.from, from_bytes);
    move_box(work);
    if (checks_ != nullptr) checks_->copied(work);
    if (!to_device && !from_device) return Error::success;
    const Direction direction = to_device && from_device ? Direction::device_to_device
                                : to_device              ? Direction::host_to_device
                                                         : Direction::device_to_host;
    const bool pinned = direction != Direction::device_to_device && is_pinned(to_device ? work.from : work.to);
    const double time = copy_ns(gpu_, direction, work.bytes(), pinned);
    device(stream.device).timeline.issue(stream, engine_of(direction), time);
    record_.copy(direction, work.bytes(), time, pinned);
    return Error::success;
}

Error Runtime::execute(Stream& stream, const FillWork& work) {
    const std::uint64_t bytes = extent(work.width, work.height, work.depth, work.pitch, work.slice);
    if (bytes == 0) return Error::success;
    if (!on_device(work.to, bytes)) return beyond("to", work.to, bytes);
    auto* to = static_cast<std::byte*>(work.to);
    for (std::uint64_t slice = 0; slice < work.depth; ++slice)
        for (std::uint64_t row = 0; row < work.height; ++row) fill_row(to + slice * work.slice + row * work.pitch, work);
    if (checks_ != nullptr) checks_->filled(work);
    const std::uint64_t filled = work.width * work.height * work.depth;
    const double time = fill_ns(gpu_, filled);
    device(stream.device).timeline.issue(stream, Engine::none, time);
    record_.fill(filled, time);
    return Error::success;
}

Error Runtime::execute(Stream&, const HostWork& work) {
    work.function(work.data);
    return Error::success;
}

Error Runtime::execute(Stream& stream, const RecordWork& work) {
    device(stream.device).timeline.record(stream, *work.event);
    return Error::success;
}

Error Runtime::execute(Stream& stream, const WaitWork& work) {
    device(stream.device).timeline.wait(stream, *work.event);
    return Error::success;
}

Error Runtime::execute(Stream&, const FreeWork& work) {
    if (graphs_.memory.contains(work.address)) return Error::success;
    if (shared_memory_ && shared_memory_->has_open(work.address)) return shared_memory_->close(work.address); // another process's
    pool_freed(work.address);
    return memory_table_->free(MemoryKind::device, work.address);
}

} // namespace apod::runtime
