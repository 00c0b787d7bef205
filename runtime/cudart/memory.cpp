// Allocation: device, managed, pinned, registered.
#include "runtime/core/pool.hpp"
#include "runtime/cudart/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

constexpr std::size_t pitch_bytes = 512; // rows of cudaMallocPitch begin at multiples of this

Error allocate(MemoryKind kind, void** pointer, std::size_t bytes, unsigned flags) {
    if (pointer == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        if (const Error error = runtime.captures().unsafe_call(); error != Error::success) return error;
        apod::emu::DeviceAddress address = 0;
        const Error error = runtime.memory().allocate(kind, bytes, this_thread().device, flags, address);
        if (error == Error::success) *pointer = reinterpret_cast<void*>(address);
        return error;
    });
}

Error release(MemoryKind kind, void* pointer) {
    return call([&](Runtime& runtime) {
        if (const Error error = runtime.captures().unsafe_call(); error != Error::success) return error;
        if (runtime.graphs().memory.contains(reinterpret_cast<apod::emu::DeviceAddress>(pointer))) return Error::success;
        Device& device = runtime.device(this_thread().device);
        if (pointer != nullptr) device.timeline.host_waits_for(device.timeline.all_ready_ns());
        pool_freed(reinterpret_cast<apod::emu::DeviceAddress>(pointer));
        return runtime.memory().free(kind, reinterpret_cast<apod::emu::DeviceAddress>(pointer));
    });
}

Error allocate_rows(void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows) {
    if (pitch == nullptr) return remember(Error::invalid_value);
    *pitch = (width + pitch_bytes - 1) / pitch_bytes * pitch_bytes;
    return allocate(MemoryKind::device, pointer, *pitch * rows, 0);
}

int type_of(MemoryKind kind) {
    switch (kind) {
    case MemoryKind::device: return 2;
    case MemoryKind::managed: return 3;
    default: return 1;
    }
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaMalloc(void** pointer, std::size_t bytes) { return allocate(MemoryKind::device, pointer, bytes, 0); }
Error cudaFree(void* pointer) { return release(MemoryKind::device, pointer); }

Error cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
    if (bytes == 0) return remember(Error::invalid_value);
    return allocate(MemoryKind::managed, pointer, bytes, flags);
}

Error cudaMallocHost(void** pointer, std::size_t bytes) { return allocate(MemoryKind::host, pointer, bytes, 0); }
Error cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) { return allocate(MemoryKind::host, pointer, bytes, flags); }
Error cudaFreeHost(void* pointer) { return release(MemoryKind::host, pointer); }

Error cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    return allocate_rows(pointer, pitch, width, height);
}

Error cudaMalloc3D(PitchedPointer* pitched, Extent extent) {
    if (pitched == nullptr) return remember(Error::invalid_value);
    pitched->width = extent.width;
    pitched->height = extent.height;
    return allocate_rows(&pitched->pointer, &pitched->pitch, extent.width, extent.height * extent.depth);
}

Error cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, Pool* pool, Stream* handle) {
    if (pointer == nullptr) return remember(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        if (pool != nullptr && pool->imported) return Error::invalid_value;
        apod::emu::DeviceAddress address = 0;
        const int device = pool != nullptr ? pool->device : stream.device;
        const Error error = runtime.memory().allocate(MemoryKind::device, bytes, device, 0, address);
        if (error != Error::success) return error;
        *pointer = reinterpret_cast<void*>(address);
        if (address != 0) pool_allocated(pool != nullptr ? *pool : default_pool(device), address, bytes);
        if (runtime.captures().status(stream) != CaptureStatus::active) return Error::success;
        runtime.graphs().memory.insert(address);
        runtime.captures().add(stream, AllocWork{address, bytes, stream.device});
        return Error::success;
    });
}

Error cudaMallocAsync(void** pointer, std::size_t bytes, Stream* handle) {
    return cudaMallocFromPoolAsync(pointer, bytes, nullptr, handle);
}

Error cudaFreeAsync(void* pointer, Stream* handle) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        return runtime.submit(stream, FreeWork{reinterpret_cast<apod::emu::DeviceAddress>(pointer)});
    });
}

Error cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
    return call([&](Runtime& runtime) {
        return runtime.memory().register_host(reinterpret_cast<apod::emu::DeviceAddress>(pointer), bytes, this_thread().device, flags);
    });
}

Error cudaHostUnregister(void* pointer) {
    return call([&](Runtime& runtime) { return runtime.memory().unregister_host(reinterpret_cast<apod::emu::DeviceAddress>(pointer)); });
}

Error cudaHostGetDevicePointer(void** device_pointer, void* pointer, unsigned) {
    return call([&](Runtime& runtime) {
        const auto held = runtime.memory().find(reinterpret_cast<apod::emu::DeviceAddress>(pointer));
        if (!held || held->kind == MemoryKind::device) return Error::invalid_value;
        *device_pointer = pointer;
        return Error::success;
    });
}

Error cudaHostGetFlags(unsigned* flags, void* pointer) {
    return call([&](Runtime& runtime) {
        const auto held = runtime.memory().find(reinterpret_cast<apod::emu::DeviceAddress>(pointer));
        if (!held || held->kind != MemoryKind::host) return Error::invalid_value;
        constexpr unsigned mapped = 2; // under unified addressing all pinned memory is
        *flags = held->flags | mapped;
        return Error::success;
    });
}

Error cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
    return call([&](Runtime& runtime) {
        if (free_bytes != nullptr) *free_bytes = runtime.memory().free_bytes(this_thread().device);
        if (total_bytes != nullptr) *total_bytes = runtime.gpu().memory.size_bytes;
        return Error::success;
    });
}

Error cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
    if (attributes == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        const auto held = runtime.memory().find(reinterpret_cast<apod::emu::DeviceAddress>(pointer));
        const bool variable = !held && runtime.device_memory().find(reinterpret_cast<apod::emu::DeviceAddress>(pointer)).has_value();
        *attributes = {};
        attributes->device = held ? held->device : (variable ? this_thread().device : -2);
        attributes->type = held ? type_of(held->kind) : (variable ? 2 : 0);
        auto* address = const_cast<void*>(pointer);
        if (attributes->type != 0) attributes->device_pointer = address;
        if (attributes->type != 2) attributes->host_pointer = address;
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
