// Copies between linear and pitched memory.
#include "runtime/cuda/entries.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

constexpr int type_host = 1;
constexpr int type_device = 2;
constexpr int type_array = 3;
constexpr int type_unified = 4;

// A call that returns when the work is done.
Error copy_and_wait(const CopyWork& work) {
    return stream_call(nullptr, [&](Runtime& runtime, Stream& stream) {
        const Error error = runtime.submit(stream, work);
        Timeline& timeline = runtime.device(stream.device).timeline;
        timeline.host_waits_for(timeline.ready_ns(stream));
        return error;
    });
}

Error copy(const CopyWork& work, Stream* handle) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) { return runtime.submit(stream, work); });
}

CopyWork flat(Address to, Address from, std::size_t bytes, CopyKind kind) {
    CopyWork work;
    work.to = reinterpret_cast<void*>(to);
    work.from = reinterpret_cast<const void*>(from);
    work.kind = kind;
    work.width = bytes;
    return work;
}

Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }

template<class Side> Address start(const Side& side) { return side.type == type_host ? address_of(side.host) : side.device; }

// What the two sides say together; unified memory says for itself where it lies.
CopyKind kind_of(int from, int to) {
    if (from == type_unified || to == type_unified) return CopyKind::automatic;
    if (from == type_device) return to == type_device ? CopyKind::device_to_device : CopyKind::device_to_host;
    return to == type_device ? CopyKind::host_to_device : CopyKind::host_to_host;
}

template<class Side> Error check_side(const Side& side, std::size_t width, std::size_t height) {
    if (side.type == type_array) {
        missing("a copy from or to a CUarray");
        return Error::not_supported;
    }
    if (side.type < type_host || side.type > type_unified) return Error::invalid_value;
    return height > 1 && side.pitch < side.x + width ? Error::invalid_value : Error::success;
}

Error box(const Copy2d& copy, CopyWork& work) {
    for (const Side2d* side : {&copy.from, &copy.to})
        if (const Error error = check_side(*side, copy.width, copy.height); error != Error::success) return error;
    work = flat(start(copy.to) + copy.to.y * copy.to.pitch + copy.to.x, start(copy.from) + copy.from.y * copy.from.pitch + copy.from.x,
                copy.width, kind_of(copy.from.type, copy.to.type));
    work.height = copy.height;
    work.to_pitch = copy.to.pitch;
    work.from_pitch = copy.from.pitch;
    return Error::success;
}

Address corner(const Side3d& side) { return start(side) + (side.z * side.height + side.y) * side.pitch + side.x; }

Error box(const Copy3d& copy, CopyWork& work) {
    for (const Side3d* side : {&copy.from, &copy.to}) {
        if (const Error error = check_side(*side, copy.width, copy.height); error != Error::success) return error;
        if (copy.depth > 1 && side->height < side->y + copy.height) return Error::invalid_value;
    }
    work = flat(corner(copy.to), corner(copy.from), copy.width, kind_of(copy.from.type, copy.to.type));
    work.height = copy.height;
    work.depth = copy.depth;
    work.to_pitch = copy.to.pitch;
    work.from_pitch = copy.from.pitch;
    work.to_slice = copy.to.pitch * copy.to.height;
    work.from_slice = copy.from.pitch * copy.from.height;
    return Error::success;
}

template<class Box> Error box_and_wait(const Box* parameters) {
    CopyWork work;
    if (parameters == nullptr) return Error::invalid_value;
    const Error error = box(*parameters, work);
    return error != Error::success ? error : copy_and_wait(work);
}

template<class Box> Error box_async(const Box* parameters, Stream* stream) {
    CopyWork work;
    if (parameters == nullptr) return Error::invalid_value;
    const Error error = box(*parameters, work);
    return error != Error::success ? error : copy(work, stream);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuMemcpy(Address to, Address from, std::size_t bytes) { return copy_and_wait(flat(to, from, bytes, CopyKind::automatic)); }
Error cuMemcpyAsync(Address to, Address from, std::size_t bytes, Stream* stream) {
    return copy(flat(to, from, bytes, CopyKind::automatic), stream);
}

Error cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
    return copy_and_wait(flat(to, address_of(from), bytes, CopyKind::host_to_device));
}
Error cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, Stream* stream) {
    return copy(flat(to, address_of(from), bytes, CopyKind::host_to_device), stream);
}
Error cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
    return copy_and_wait(flat(address_of(to), from, bytes, CopyKind::device_to_host));
}
Error cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, Stream* stream) {
    return copy(flat(address_of(to), from, bytes, CopyKind::device_to_host), stream);
}
Error cuMemcpyDtoD_v2(Address to, Address from, std::size_t bytes) {
    return copy_and_wait(flat(to, from, bytes, CopyKind::device_to_device));
}
Error cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, Stream* stream) {
    return copy(flat(to, from, bytes, CopyKind::device_to_device), stream);
}

Error cuMemcpyPeer(Address to, Context*, Address from, Context*, std::size_t bytes) { return cuMemcpyDtoD_v2(to, from, bytes); }
Error cuMemcpyPeerAsync(Address to, Context*, Address from, Context*, std::size_t bytes, Stream* stream) {
    return cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
}

Error cuMemcpy2D_v2(const Copy2d* parameters) { return box_and_wait(parameters); }
Error cuMemcpy2DUnaligned_v2(const Copy2d* parameters) { return box_and_wait(parameters); }
Error cuMemcpy2DAsync_v2(const Copy2d* parameters, Stream* stream) { return box_async(parameters, stream); }
Error cuMemcpy3D_v2(const Copy3d* parameters) { return box_and_wait(parameters); }
Error cuMemcpy3DAsync_v2(const Copy3d* parameters, Stream* stream) { return box_async(parameters, stream); }
Error cuMemcpy3DPeer(const Copy3d* parameters) { return box_and_wait(parameters); }
Error cuMemcpy3DPeerAsync(const Copy3d* parameters, Stream* stream) { return box_async(parameters, stream); }

} // extern "C"
#pragma GCC visibility pop
