// Memory pools: those of the runtime API.
#include "runtime/core/pool.hpp"
#include "runtime/cuda/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

#pragma GCC visibility push(default)
extern "C" {

Error cuDeviceGetDefaultMemPool(Pool** pool, int device) {
    if (pool == nullptr) return Error::invalid_value;
    return device_call(device, [&](Runtime&) {
        *pool = &default_pool(device);
        return Error::success;
    });
}

Error cuDeviceGetMemPool(Pool** pool, int device) { return cuDeviceGetDefaultMemPool(pool, device); }

Error cuDeviceSetMemPool(int device, Pool* pool) {
    return pool == nullptr ? Error::invalid_value : device_call(device, [](Runtime&) { return Error::success; });
}

Error cuMemGetDefaultMemPool(Pool** pool, const Location* location, int) {
    constexpr int on_device = 1;
    if (location == nullptr || location->type != on_device) return Error::not_supported;
    return cuDeviceGetDefaultMemPool(pool, location->id);
}
Error cuMemGetMemPool(Pool** pool, const Location* location, int type) { return cuMemGetDefaultMemPool(pool, location, type); }

Error cuMemPoolCreate(Pool** pool, const PoolProperties* properties) {
    if (pool == nullptr || properties == nullptr) return Error::invalid_value;
    return global_call([&](Runtime&) {
        *pool = new Pool;
        (*pool)->device = properties->location.id;
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

Error cuMemPoolTrimTo(Pool* pool, std::size_t) { return pool == nullptr ? Error::invalid_value : Error::success; }

Error cuMemPoolSetAttribute(Pool* pool, int attribute, const void* value) {
    return global_call(
        [&](Runtime&) { return pool != nullptr && set_pool_attribute(*pool, attribute, value) ? Error::success : Error::invalid_value; });
}

Error cuMemPoolGetAttribute(Pool* pool, int attribute, void* value) {
    return global_call(
        [&](Runtime&) { return pool != nullptr && get_pool_attribute(*pool, attribute, value) ? Error::success : Error::invalid_value; });
}

Error cuMemPoolSetAccess(Pool* pool, const void*, std::size_t) { return pool == nullptr ? Error::invalid_value : Error::success; }

Error cuMemPoolGetAccess(int* flags, Pool* pool, const Location*) {
    if (flags == nullptr || pool == nullptr) return Error::invalid_value;
    *flags = 3; // reading and writing
    return Error::success;
}

} // extern "C"
#pragma GCC visibility pop
