// Memory pools (core/pool.hpp), and pools and allocations that processes share.
#include "runtime/core/pool.hpp"
#include "runtime/core/shared_memory.hpp"
#include "runtime/cudart/call.hpp"

#include <memory>

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

struct SharedAllocation { // cudaMemPoolPtrExportData
    SharedMemory::Name name;
};

bool known_handle_types(int types) { return (static_cast<unsigned>(types) & ~pool_file_descriptor) == 0; }

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaDeviceGetDefaultMemPool(Pool** pool, int device) {
    return call([&](Runtime& runtime) {
        if (device < 0 || device >= runtime.device_count()) return Error::invalid_device;
        *pool = &default_pool(device);
        return Error::success;
    });
}

Error cudaDeviceGetMemPool(Pool** pool, int device) { return cudaDeviceGetDefaultMemPool(pool, device); }

Error cudaDeviceSetMemPool(int, Pool*) {
    return call([](Runtime&) { return Error::success; });
}

Error cudaMemPoolCreate(Pool** pool, const PoolProperties* properties) {
    return call([&](Runtime& runtime) {
        if (pool == nullptr || properties == nullptr) return Error::invalid_value;
        if (properties->location < 0 || properties->location >= runtime.device_count()) return Error::invalid_value;
        if (!known_handle_types(properties->handle_types)) return Error::not_supported;
        *pool = new Pool;
        (*pool)->device = properties->location;
        (*pool)->handle_types = static_cast<unsigned>(properties->handle_types);
        return Error::success;
    });
}

Error cudaMemPoolDestroy(Pool* pool) {
    return call([&](Runtime& runtime) {
        for (int device = 0; device < runtime.device_count(); ++device)
            if (pool == &default_pool(device)) return Error::invalid_value;
        delete pool;
        return Error::success;
    });
}

Error cudaMemPoolTrimTo(Pool*, std::size_t) {
    return call([](Runtime&) { return Error::success; });
}

Error cudaMemPoolSetAttribute(Pool* pool, int attribute, void* value) {
    return call(
        [&](Runtime&) { return pool != nullptr && set_pool_attribute(*pool, attribute, value) ? Error::success : Error::invalid_value; });
}

Error cudaMemPoolGetAttribute(Pool* pool, int attribute, void* value) {
    return call(
        [&](Runtime&) { return pool != nullptr && get_pool_attribute(*pool, attribute, value) ? Error::success : Error::invalid_value; });
}

// Everybody reaches everything.
Error cudaMemPoolGetAccess(int* flags, Pool* pool, const void* location) {
    constexpr int read_and_write = 3;
    if (flags == nullptr || pool == nullptr || location == nullptr) return remember(Error::invalid_value);
    *flags = read_and_write;
    return remember(Error::success);
}

Error cudaMemPoolSetAccess(Pool*, const void*, std::size_t) {
    return call([](Runtime&) { return Error::success; });
}

Error cudaMemPoolExportToShareableHandle(void* handle, Pool* pool, int type, unsigned flags) {
    return call([&](Runtime&) {
        if (handle == nullptr || pool == nullptr || flags != 0) return Error::invalid_value;
        if (type != static_cast<int>(pool_file_descriptor)) return Error::not_supported;
        return export_pool(*pool, *static_cast<int*>(handle));
    });
}

Error cudaMemPoolImportFromShareableHandle(Pool** pool, void* handle, int type, unsigned flags) {
    return call([&](Runtime& runtime) {
        if (pool == nullptr || flags != 0) return Error::invalid_value;
        if (type != static_cast<int>(pool_file_descriptor)) return Error::not_supported;
        auto made = std::make_unique<Pool>();
        const int file = static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
        if (const Error error = import_pool(file, runtime.device_count(), *made); error != Error::success) return error;
        *pool = made.release();
        return Error::success;
    });
}

Error cudaMemPoolExportPointer(SharedAllocation* data, void* pointer) {
    return call([&](Runtime& runtime) {
        const auto address = reinterpret_cast<apod::emu::DeviceAddress>(pointer);
        const Pool* pool = pool_of(address);
        if (data == nullptr || pool == nullptr || pool->handle_types == 0) return Error::invalid_value;
        return runtime.shared_memory().name(address, data->name);
    });
}

Error cudaMemPoolImportPointer(void** pointer, Pool* pool, const SharedAllocation* data) {
    return call([&](Runtime& runtime) {
        if (pointer == nullptr || pool == nullptr || data == nullptr || !pool->imported) return Error::invalid_value;
        if (data->name.device != pool->device) return Error::invalid_value;
        apod::emu::DeviceAddress address = 0;
        const Error error = runtime.shared_memory().open(data->name, address);
        if (error == Error::success) *pointer = reinterpret_cast<void*>(address);
        return error;
    });
}

} // extern "C"
#pragma GCC visibility pop
