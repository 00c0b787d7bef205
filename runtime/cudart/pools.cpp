// Memory pools. There is one a device; stream-ordered allocations come from the same memory as all others, so its settings change nothing.
#include "runtime/core/pool.hpp"
#include "runtime/cudart/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

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
        *pool = new Pool;
        (*pool)->device = properties->location;
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

} // extern "C"
#pragma GCC visibility pop
