// Memory pools: those of the runtime API.
#include "runtime/core/pool.hpp"
#include "runtime/core/shared_memory.hpp"
#include "runtime/cuda/call.hpp"

#include <memory>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

struct SharedAllocation { // CUmemPoolPtrExportData
    SharedMemory::Name name;
};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuDeviceGetDefaultMemPool(Pool** pool, int device) {
    if (pool == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime&) {
        *pool = &default_pool(device);
        return Error::success;
    });
}

Error cuDeviceGetMemPool(Pool** pool, int device) { return cuDeviceGetDefaultMemPool(pool, device); }

Error cuDeviceSetMemPool(int device, Pool* pool) {
    return pool == nullptr ? refuse(Error::invalid_value) : device_call(device, [](Runtime&) { return Error::success; });
}

Error cuMemGetDefaultMemPool(Pool** pool, const Location* location, int) {
    constexpr int on_device = 1;
    if (location == nullptr || location->type != on_device) return refuse(Error::not_supported);
    return cuDeviceGetDefaultMemPool(pool, location->id);
}
Error cuMemGetMemPool(Pool** pool, const Location* location, int type) { return cuMemGetDefaultMemPool(pool, location, type); }

Error cuMemPoolCreate(Pool** pool, const PoolProperties* properties) {
    if (pool == nullptr || properties == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        if (properties->location.id < 0 || properties->location.id >= runtime.device_count()) return Error::invalid_value;
        if ((static_cast<unsigned>(properties->handle_types) & ~pool_file_descriptor) != 0) return Error::not_supported;
        *pool = new Pool;
        (*pool)->device = properties->location.id;
        (*pool)->handle_types = static_cast<unsigned>(properties->handle_types);
        return Error::success;
    });
}

Error cuMemPoolDestroy(Pool* pool) {
    return global_call([&](Runtime& runtime) {
        if (pool == nullptr) return Error::invalid_value;
        for (int device = 0; device < runtime.device_count(); ++device)
            if (pool == &default_pool(device)) return Error::invalid_value;
        delete pool;
        return Error::success;
    });
}

Error cuMemPoolTrimTo(Pool* pool, std::size_t) { return pool == nullptr ? refuse(Error::invalid_value) : Error::success; }

Error cuMemPoolSetAttribute(Pool* pool, int attribute, const void* value) {
    return global_call(
        [&](Runtime&) { return pool != nullptr && set_pool_attribute(*pool, attribute, value) ? Error::success : Error::invalid_value; });
}

Error cuMemPoolGetAttribute(Pool* pool, int attribute, void* value) {
    return global_call(
        [&](Runtime&) { return pool != nullptr && get_pool_attribute(*pool, attribute, value) ? Error::success : Error::invalid_value; });
}

Error cuMemPoolSetAccess(Pool* pool, const void*, std::size_t) { return pool == nullptr ? refuse(Error::invalid_value) : Error::success; }

Error cuMemPoolGetAccess(int* flags, Pool* pool, const Location*) {
    if (flags == nullptr || pool == nullptr) return refuse(Error::invalid_value);
    *flags = 3; // reading and writing
    return Error::success;
}

Error cuMemPoolExportToShareableHandle(void* handle, Pool* pool, int type, unsigned long long flags) {
    if (handle == nullptr || pool == nullptr || flags != 0) return refuse(Error::invalid_value);
    if (type != static_cast<int>(pool_file_descriptor)) return refuse(Error::not_supported);
    return global_call([&](Runtime&) { return export_pool(*pool, *static_cast<int*>(handle)); });
}

Error cuMemPoolImportFromShareableHandle(Pool** pool, void* handle, int type, unsigned long long flags) {
    if (pool == nullptr || flags != 0) return refuse(Error::invalid_value);
    if (type != static_cast<int>(pool_file_descriptor)) return refuse(Error::not_supported);
    return global_call([&](Runtime& runtime) {
        auto made = std::make_unique<Pool>();
        const int file = static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
        if (const Error error = import_pool(file, runtime.device_count(), *made); error != Error::success) return error;
        *pool = made.release();
        return Error::success;
    });
}

Error cuMemPoolExportPointer(SharedAllocation* data, Address address) {
    return global_call([&](Runtime& runtime) {
        const Pool* pool = pool_of(address);
        if (data == nullptr || pool == nullptr || pool->handle_types == 0) return Error::invalid_value;
        return runtime.shared_memory().name(address, data->name);
    });
}

Error cuMemPoolImportPointer(Address* address, Pool* pool, const SharedAllocation* data) {
    if (address == nullptr || pool == nullptr || data == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        if (!pool->imported || data->name.device != pool->device) return Error::invalid_value;
        return runtime.shared_memory().open(data->name, *address);
    });
}

} // extern "C"
#pragma GCC visibility pop
