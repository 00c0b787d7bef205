// Allocation: device, pitched, managed, pinned, registered, stream-ordered.
#include "runtime/core/pool.hpp"
#include "runtime/cuda/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

constexpr std::size_t pitch_bytes = 512; // rows of cuMemAllocPitch begin at multiples of this

Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }

Error allocate(MemoryKind kind, Address* address, std::size_t bytes, unsigned flags) {
    if (address == nullptr || bytes == 0) return refuse(Error::invalid_value);
    return call(
        [&](Runtime& runtime, Context& context) { return runtime.memory().allocate(kind, bytes, context.device, flags, *address); });
}

Error allocate_host(void** pointer, std::size_t bytes, unsigned flags) {
    if (pointer == nullptr) return refuse(Error::invalid_value);
    Address address = 0;
    const Error error = allocate(MemoryKind::host, &address, bytes, flags);
    if (error == Error::success) *pointer = reinterpret_cast<void*>(address);
    return error;
}

Error release(MemoryKind kind, Address address) {
    return call([&](Runtime& runtime, Context& context) {
        Timeline& timeline = runtime.device(context.device).timeline;
        if (address != 0) timeline.host_waits_for(timeline.all_ready_ns());
        pool_freed(address);
        return runtime.memory().free(kind, address);
    });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuMemAlloc_v2(Address* address, std::size_t bytes) { return allocate(MemoryKind::device, address, bytes, 0); }
Error cuMemFree_v2(Address address) { return release(MemoryKind::device, address); }

Error cuMemAllocPitch_v2(Address* address, std::size_t* pitch, std::size_t width, std::size_t height, unsigned element_bytes) {
    const bool element = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
    if (pitch == nullptr || !element) return refuse(Error::invalid_value);
    *pitch = (width + pitch_bytes - 1) / pitch_bytes * pitch_bytes;
    return allocate(MemoryKind::device, address, *pitch * height, 0);
}

Error cuMemAllocManaged(Address* address, std::size_t bytes, unsigned flags) {
    if (flags != 1 && flags != 2) return refuse(Error::invalid_value); // attached to all, or to the host
    return allocate(MemoryKind::managed, address, bytes, flags);
}

Error cuMemAllocHost_v2(void** pointer, std::size_t bytes) { return allocate_host(pointer, bytes, 0); }

Error cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    constexpr unsigned known_flags = 7; // portable, mapped, write-combined
    return flags > known_flags ? refuse(Error::invalid_value) : allocate_host(pointer, bytes, flags);
}

Error cuMemFreeHost(void* pointer) {
    return pointer == nullptr ? refuse(Error::invalid_value) : release(MemoryKind::host, address_of(pointer));
}

Error cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned flags) {
    return call([&](Runtime& runtime, Context& context) {
        return runtime.memory().register_host(address_of(pointer), bytes, context.device, flags);
    });
}

Error cuMemHostUnregister(void* pointer) {
    return call([&](Runtime& runtime, Context&) { return runtime.memory().unregister_host(address_of(pointer)); });
}

Error cuMemHostGetDevicePointer_v2(Address* address, void* pointer, unsigned flags) {
    if (address == nullptr || flags != 0) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context&) {
        const auto held = runtime.memory().find(address_of(pointer));
        if (!held || held->kind == MemoryKind::device) return Error::invalid_value;
        *address = address_of(pointer);
        return Error::success;
    });
}

Error cuMemHostGetFlags(unsigned* flags, void* pointer) {
    if (flags == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context&) {
        const auto held = runtime.memory().find(address_of(pointer));
        if (!held || held->kind != MemoryKind::host) return Error::invalid_value;
        constexpr unsigned mapped = 2; // under unified addressing all pinned memory is
        *flags = held->flags | mapped;
        return Error::success;
    });
}

Error cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
    return call([&](Runtime& runtime, Context& context) {
        if (free_bytes != nullptr) *free_bytes = runtime.memory().free_bytes(context.device);
        if (total_bytes != nullptr) *total_bytes = runtime.gpu().memory.size_bytes;
        return Error::success;
    });
}

Error cuMemGetAddressRange_v2(Address* base, std::size_t* bytes, Address address) {
    return call([&](Runtime& runtime, Context&) {
        const auto allocation = runtime.device_memory().find(address);
        if (!allocation) return not_found;
        if (base != nullptr) *base = allocation->base;
        if (bytes != nullptr) *bytes = allocation->bytes;
        return Error::success;
    });
}

Error cuMemAllocAsync(Address* address, std::size_t bytes, Stream* handle) {
    if (address == nullptr) return refuse(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        const Error error = runtime.memory().allocate(MemoryKind::device, bytes, stream.device, 0, *address);
        if (error == Error::success && *address != 0) pool_allocated(default_pool(stream.device), *address, bytes);
        return error;
    });
}

Error cuMemAllocFromPoolAsync(Address* address, std::size_t bytes, Pool* pool, Stream* handle) {
    if (address == nullptr || pool == nullptr || pool->imported) return refuse(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream&) {
        const Error error = runtime.memory().allocate(MemoryKind::device, bytes, pool->device, 0, *address);
        if (error == Error::success && *address != 0) pool_allocated(*pool, *address, bytes);
        return error;
    });
}

Error cuMemFreeAsync(Address address, Stream* handle) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) { return runtime.submit(stream, FreeWork{address}); });
}

// Everything lies where everybody reaches it: advice and prefetching change nothing.
Error cuMemAdvise(Address, std::size_t, int, int) {
    return call([](Runtime&, Context&) { return Error::success; });
}
Error cuMemAdvise_v2(Address, std::size_t, int, Location) {
    return call([](Runtime&, Context&) { return Error::success; });
}
Error cuMemPrefetchAsync(Address, std::size_t, int, Stream* handle) {
    return stream_call(handle, [](Runtime&, Stream&) { return Error::success; });
}
Error cuMemPrefetchAsync_v2(Address, std::size_t, Location, unsigned, Stream* handle) {
    return stream_call(handle, [](Runtime&, Stream&) { return Error::success; });
}

Error cuMemAllocAsync_ptsz(Address* address, std::size_t bytes, Stream* stream) {
    return cuMemAllocAsync(address, bytes, per_thread(stream));
}
Error cuMemAllocFromPoolAsync_ptsz(Address* address, std::size_t bytes, Pool* pool, Stream* stream) {
    return cuMemAllocFromPoolAsync(address, bytes, pool, per_thread(stream));
}
Error cuMemFreeAsync_ptsz(Address address, Stream* stream) { return cuMemFreeAsync(address, per_thread(stream)); }
Error cuMemPrefetchAsync_ptsz(Address address, std::size_t bytes, int device, Stream* stream) {
    return cuMemPrefetchAsync(address, bytes, device, per_thread(stream));
}
Error cuMemPrefetchAsync_v2_ptsz(Address address, std::size_t bytes, Location location, unsigned flags, Stream* stream) {
    return cuMemPrefetchAsync_v2(address, bytes, location, flags, per_thread(stream));
}

} // extern "C"
#pragma GCC visibility pop
