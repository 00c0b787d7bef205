// Virtual memory management: addresses and memory apart from each other.
#include "runtime/core/virtual_memory.hpp"
#include "runtime/cuda/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

constexpr int on_device = 1;       // CU_MEM_LOCATION_TYPE_DEVICE
constexpr int pinned = 1;          // CU_MEM_ALLOCATION_TYPE_PINNED
constexpr int file_descriptor = 1; // CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
constexpr unsigned read_write = 3; // CU_MEM_ACCESS_FLAGS_PROT_READWRITE; 1 is reading alone, 0 none

VirtualMemory& virtual_memory(Runtime& runtime) {
    static auto& memory = *new VirtualMemory(runtime.memory()); // as the runtime, it is never destroyed
    return memory;
}

bool known_place(Runtime& runtime, const Location& place) {
    return place.type == on_device && place.id >= 0 && place.id < runtime.device_count();
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuMemGetAllocationGranularity(std::size_t* bytes, const AllocationProperties* properties, int option) {
    if (bytes == nullptr || properties == nullptr || option < 0 || option > 1) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        if (!known_place(runtime, properties->place)) return Error::invalid_value;
        *bytes = VirtualMemory::granularity;
        return Error::success;
    });
}

Error cuMemAddressReserve(Address* address, std::size_t bytes, std::size_t align, Address wanted, unsigned long long flags) {
    if (address == nullptr || flags != 0) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) { return virtual_memory(runtime).reserve(bytes, align, wanted, *address); });
}

Error cuMemAddressFree(Address address, std::size_t bytes) {
    return global_call([&](Runtime& runtime) { return virtual_memory(runtime).unreserve(address, bytes); });
}

Error cuMemCreate(unsigned long long* handle, std::size_t bytes, const AllocationProperties* properties, unsigned long long flags) {
    if (handle == nullptr || properties == nullptr || flags != 0 || properties->type != pinned) return refuse(Error::invalid_value);
    if ((properties->handle_types & ~file_descriptor) != 0) return refuse(Error::not_supported);
    return global_call([&](Runtime& runtime) {
        if (!known_place(runtime, properties->place)) return Error::invalid_device;
        VirtualMemory::Piece piece;
        piece.bytes = bytes;
        piece.device = properties->place.id;
        piece.handle_types = static_cast<unsigned>(properties->handle_types);
        piece.compression = properties->compression;
        VirtualMemory::Handle made = 0;
        const Error error = virtual_memory(runtime).create(piece, made);
        if (error == Error::success) *handle = made;
        return error;
    });
}

Error cuMemRelease(unsigned long long handle) {
    return global_call([&](Runtime& runtime) { return virtual_memory(runtime).release(handle); });
}

Error cuMemMap(Address address, std::size_t bytes, std::size_t offset, unsigned long long handle, unsigned long long flags) {
    if (flags != 0) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) { return virtual_memory(runtime).map(address, bytes, offset, handle); });
}

Error cuMemUnmap(Address address, std::size_t bytes) {
    return global_call([&](Runtime& runtime) { return virtual_memory(runtime).unmap(address, bytes); });
}

Error cuMemSetAccess(Address address, std::size_t bytes, const MemoryAccess* accesses, std::size_t count) {
    if (accesses == nullptr || count == 0) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        bool accessible = false; // by any device: they all see the same memory
        for (std::size_t i = 0; i < count; ++i) {
            if (!known_place(runtime, accesses[i].place)) return Error::invalid_device;
            accessible = accessible || accesses[i].flags != 0;
        }
        return virtual_memory(runtime).set_access(address, bytes, accessible);
    });
}

Error cuMemGetAccess(unsigned long long* flags, const Location* place, Address address) {
    if (flags == nullptr || place == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        bool accessible = false;
        if (!known_place(runtime, *place) || virtual_memory(runtime).mapped_at(address, accessible, false) == 0)
            return Error::invalid_value;
        *flags = accessible ? read_write : 0;
        return Error::success;
    });
}

Error cuMemGetAllocationPropertiesFromHandle(AllocationProperties* properties, unsigned long long handle) {
    if (properties == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        const VirtualMemory::Piece* piece = virtual_memory(runtime).find(handle);
        if (piece == nullptr) return Error::invalid_value;
        *properties = {};
        properties->type = pinned;
        properties->handle_types = static_cast<int>(piece->handle_types);
        properties->place = {on_device, piece->device};
        properties->compression = piece->compression;
        return Error::success;
    });
}

Error cuMemRetainAllocationHandle(unsigned long long* handle, void* address) {
    if (handle == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        bool accessible = false;
        const auto found = virtual_memory(runtime).mapped_at(reinterpret_cast<Address>(address), accessible, true);
        if (found == 0) return Error::invalid_value;
        *handle = found;
        return Error::success;
    });
}

Error cuMemExportToShareableHandle(void* shared, unsigned long long handle, int type, unsigned long long flags) {
    if (shared == nullptr || flags != 0) return refuse(Error::invalid_value);
    if (type != file_descriptor) return refuse(Error::not_supported);
    return global_call([&](Runtime& runtime) {
        const VirtualMemory::Piece* piece = virtual_memory(runtime).find(handle);
        if (piece == nullptr || (piece->handle_types & file_descriptor) == 0) return Error::invalid_value;
        return virtual_memory(runtime).export_file(handle, *static_cast<int*>(shared));
    });
}

Error cuMemImportFromShareableHandle(unsigned long long* handle, void* shared, int type) {
    if (handle == nullptr) return refuse(Error::invalid_value);
    if (type != file_descriptor) return refuse(Error::not_supported);
    return call([&](Runtime& runtime, Context& context) {
        VirtualMemory::Handle made = 0;
        const int file = static_cast<int>(reinterpret_cast<std::intptr_t>(shared));
        const Error error = virtual_memory(runtime).import_file(file, context.device, made);
        if (error == Error::success) *handle = made;
        return error;
    });
}
}
