// Copies and fills between linear and pitched memory, and symbols.
#include "runtime/cudart/arrays.hpp"
#include "runtime/cudart/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

bool is_kind(int kind) { return kind >= 0 && kind <= 4; }

// A call that returns when the work is done: a kernel's fault shows here.
template<class Item> Error submit_and_wait(const Item& work) {
    return stream_call(nullptr, [&](Runtime& runtime, Stream& stream) {
        if (const Error error = runtime.captures().blocking_call(stream); error != Error::success) return error;
        const Error error = runtime.submit(stream, work);
        Timeline& timeline = runtime.device(stream.device).timeline;
        timeline.host_waits_for(timeline.ready_ns(stream));
        return error;
    });
}

template<class Item> Error submit(const Item& work, Stream* handle) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) { return runtime.submit(stream, work); });
}

CopyWork flat(void* to, const void* from, std::size_t bytes, int kind) {
    CopyWork work;
    work.to = to;
    work.from = from;
    work.kind = static_cast<CopyKind>(kind);
    work.width = bytes;
    return work;
}

CopyWork rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t height, int kind) {
    CopyWork work = flat(to, from, width, kind);
    work.height = height;
    work.to_pitch = to_pitch;
    work.from_pitch = from_pitch;
    return work;
}

std::byte* corner(const PitchedPointer& box, const Position& at) {
    return static_cast<std::byte*>(box.pointer) + (at.z * box.height + at.y) * box.pitch + at.x;
}

// Both sides are linear memory: widths and positions are in bytes.
Error box(const Copy3d& parameters, CopyWork& work) {
    if (parameters.from_array != nullptr || parameters.to_array != nullptr) return box_of_arrays(parameters, work);
    if (!is_kind(parameters.kind)) return Error::invalid_memcpy_direction;
    work = rows(corner(parameters.to, parameters.to_position), parameters.to.pitch, corner(parameters.from, parameters.from_position),
                parameters.from.pitch, parameters.extent.width, parameters.extent.height, parameters.kind);
    work.depth = parameters.extent.depth;
    work.to_slice = parameters.to.pitch * parameters.to.height;
    work.from_slice = parameters.from.pitch * parameters.from.height;
    return Error::success;
}

FillWork fill(void* to, int value, std::size_t width, std::size_t height, std::size_t pitch) {
    FillWork work;
    work.to = to;
    work.value = static_cast<std::uint32_t>(value);
    work.width = width;
    work.height = height;
    work.pitch = pitch;
    return work;
}

FillWork fill_box(const PitchedPointer& to, int value, const Extent& extent) {
    FillWork work = fill(to.pointer, value, extent.width, extent.height, to.pitch);
    work.depth = extent.depth;
    work.slice = to.pitch * to.height;
    return work;
}

// The bytes of a symbol that a copy reaches, or the error.
Error symbol_part(Runtime& runtime, const void* symbol, std::size_t bytes, std::size_t offset, std::byte*& address) {
    const Variable* variable = runtime.find_variable(symbol);
    if (variable == nullptr) return Error::invalid_symbol;
    if (offset > variable->bytes || bytes > variable->bytes - offset) return Error::invalid_value;
    apod::emu::DeviceAddress base = 0;
    if (const Error error = runtime.variable_address(*variable, this_thread().device, base); error != Error::success) return error;
    address = reinterpret_cast<std::byte*>(base + offset);
    return Error::success;
}

Error to_symbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind, Stream* handle, bool wait) {
    if (!is_kind(kind) || kind == 2) return remember(Error::invalid_memcpy_direction);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        std::byte* address = nullptr;
        if (const Error error = symbol_part(runtime, symbol, bytes, offset, address); error != Error::success) return error;
        const Error error = runtime.submit(stream, flat(address, from, bytes, kind));
        if (wait) runtime.device(stream.device).timeline.host_waits_for(stream.ready_ns);
        return error;
    });
}

Error from_symbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind, Stream* handle, bool wait) {
    if (!is_kind(kind) || kind == 1) return remember(Error::invalid_memcpy_direction);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        std::byte* address = nullptr;
        if (const Error error = symbol_part(runtime, symbol, bytes, offset, address); error != Error::success) return error;
        const Error error = runtime.submit(stream, flat(to, address, bytes, kind));
        if (wait) runtime.device(stream.device).timeline.host_waits_for(stream.ready_ns);
        return error;
    });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
    if (!is_kind(kind)) return remember(Error::invalid_memcpy_direction);
    return submit_and_wait(flat(to, from, bytes, kind));
}

Error cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, Stream* stream) {
    if (!is_kind(kind)) return remember(Error::invalid_memcpy_direction);
    return submit(flat(to, from, bytes, kind), stream);
}

Error cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) { return submit_and_wait(flat(to, from, bytes, 3)); }
Error cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, Stream* stream) {
    return submit(flat(to, from, bytes, 3), stream);
}

Error cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t height,
                   int kind) {
    if (!is_kind(kind)) return remember(Error::invalid_memcpy_direction);
    if (width > to_pitch || width > from_pitch) return remember(Error::invalid_pitch_value);
    return submit_and_wait(rows(to, to_pitch, from, from_pitch, width, height, kind));
}

Error cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t height,
                        int kind, Stream* stream) {
    if (!is_kind(kind)) return remember(Error::invalid_memcpy_direction);
    if (width > to_pitch || width > from_pitch) return remember(Error::invalid_pitch_value);
    return submit(rows(to, to_pitch, from, from_pitch, width, height, kind), stream);
}

Error cudaMemcpy3D(const Copy3d* parameters) {
    CopyWork work;
    if (parameters == nullptr) return remember(Error::invalid_value);
    if (const Error error = box(*parameters, work); error != Error::success) return remember(error);
    return submit_and_wait(work);
}

Error cudaMemcpy3DAsync(const Copy3d* parameters, Stream* stream) {
    CopyWork work;
    if (parameters == nullptr) return remember(Error::invalid_value);
    if (const Error error = box(*parameters, work); error != Error::success) return remember(error);
    return submit(work, stream);
}

Error cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind) {
    return to_symbol(symbol, from, bytes, offset, kind, nullptr, true);
}
Error cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind, Stream* stream) {
    return to_symbol(symbol, from, bytes, offset, kind, stream, false);
}
Error cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind) {
    return from_symbol(to, symbol, bytes, offset, kind, nullptr, true);
}
Error cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind, Stream* stream) {
    return from_symbol(to, symbol, bytes, offset, kind, stream, false);
}

Error cudaMemset(void* to, int value, std::size_t bytes) { return submit(fill(to, value, bytes, 1, bytes), nullptr); }
Error cudaMemsetAsync(void* to, int value, std::size_t bytes, Stream* stream) { return submit(fill(to, value, bytes, 1, bytes), stream); }
Error cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return submit(fill(to, value, width, height, pitch), nullptr);
}
Error cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height, Stream* stream) {
    return submit(fill(to, value, width, height, pitch), stream);
}
Error cudaMemset3D(PitchedPointer to, int value, Extent extent) { return submit(fill_box(to, value, extent), nullptr); }
Error cudaMemset3DAsync(PitchedPointer to, int value, Extent extent, Stream* stream) { return submit(fill_box(to, value, extent), stream); }

} // extern "C"
#pragma GCC visibility pop
