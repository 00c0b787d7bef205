// Copies between linear and pitched memory and arrays.
#include "runtime/cuda/copies.hpp"
#include "runtime/cuda/entries.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

template<class Body> Error run(Stream* handle, bool wait, const Body& make) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        CopyWork work;
        if (const Error error = make(work); error != Error::success) return error;
        const Error error = runtime.submit(stream, work);
        Timeline& timeline = runtime.device(stream.device).timeline;
        if (wait) timeline.host_waits_for(timeline.ready_ns(stream));
        return error;
    });
}

// A call that returns when the work is done.
Error copy_and_wait(const CopyWork& work) {
    return run(nullptr, true, [&](CopyWork& made) { return made = work, Error::success; });
}

Error copy(const CopyWork& work, Stream* handle) {
    return run(handle, false, [&](CopyWork& made) { return made = work, Error::success; });
}

Error box(const Copy3d* parameters, Stream* handle, bool wait) {
    if (parameters == nullptr) return Error::invalid_value;
    return run(handle, wait, [&](CopyWork& work) { return box_copy(*parameters, work); });
}

Error box(const Copy2d* parameters, Stream* handle, bool wait) {
    if (parameters == nullptr) return Error::invalid_value;
    const Copy3d copy = in_three_dimensions(*parameters);
    return box(&copy, handle, wait);
}

Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuMemcpy(Address to, Address from, std::size_t bytes) { return copy_and_wait(flat_copy(to, from, bytes, CopyKind::automatic)); }
Error cuMemcpyAsync(Address to, Address from, std::size_t bytes, Stream* stream) {
    return copy(flat_copy(to, from, bytes, CopyKind::automatic), stream);
}

Error cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
    return copy_and_wait(flat_copy(to, address_of(from), bytes, CopyKind::host_to_device));
}
Error cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, Stream* stream) {
    return copy(flat_copy(to, address_of(from), bytes, CopyKind::host_to_device), stream);
}
Error cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
    return copy_and_wait(flat_copy(address_of(to), from, bytes, CopyKind::device_to_host));
}
Error cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, Stream* stream) {
    return copy(flat_copy(address_of(to), from, bytes, CopyKind::device_to_host), stream);
}
Error cuMemcpyDtoD_v2(Address to, Address from, std::size_t bytes) {
    return copy_and_wait(flat_copy(to, from, bytes, CopyKind::device_to_device));
}
Error cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, Stream* stream) {
    return copy(flat_copy(to, from, bytes, CopyKind::device_to_device), stream);
}

Error cuMemcpyPeer(Address to, Context*, Address from, Context*, std::size_t bytes) { return cuMemcpyDtoD_v2(to, from, bytes); }
Error cuMemcpyPeerAsync(Address to, Context*, Address from, Context*, std::size_t bytes, Stream* stream) {
    return cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
}

Error cuMemcpy2D_v2(const Copy2d* parameters) { return box(parameters, nullptr, true); }
Error cuMemcpy2DUnaligned_v2(const Copy2d* parameters) { return box(parameters, nullptr, true); }
Error cuMemcpy2DAsync_v2(const Copy2d* parameters, Stream* stream) { return box(parameters, stream, false); }
Error cuMemcpy3D_v2(const Copy3d* parameters) { return box(parameters, nullptr, true); }
Error cuMemcpy3DAsync_v2(const Copy3d* parameters, Stream* stream) { return box(parameters, stream, false); }
Error cuMemcpy3DPeer(const Copy3d* parameters) { return box(parameters, nullptr, true); }
Error cuMemcpy3DPeerAsync(const Copy3d* parameters, Stream* stream) { return box(parameters, stream, false); }

} // extern "C"
#pragma GCC visibility pop
