// Memory pools. There is one a device; stream-ordered allocations come from the same memory as all others, so its settings change nothing.
#include "runtime/cudart/call.hpp"

#include <array>

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

struct Pool {
    int device = 0;
    std::array<std::uint64_t, 16> attributes = {}; // by cudaMemPoolAttr
};

Pool& default_pool(int device) {
    static auto& pools = *new std::array<Pool, 16>;
    pools[static_cast<std::size_t>(device)].device = device;
    return pools[static_cast<std::size_t>(device)];
}

constexpr int attribute_release_threshold = 4; // from here on the values are 64 bits wide

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

Error cudaMemPoolCreate(Pool** pool, const void*) {
    return call([&](Runtime&) {
        *pool = new Pool;
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
    return call([&](Runtime&) {
        if (pool == nullptr || value == nullptr || attribute < 1 || attribute >= 16) return Error::invalid_value;
        pool->attributes[static_cast<std::size_t>(attribute)] =
            attribute >= attribute_release_threshold ? *static_cast<std::uint64_t*>(value) : *static_cast<unsigned*>(value);
        return Error::success;
    });
}

Error cudaMemPoolGetAttribute(Pool* pool, int attribute, void* value) {
    return call([&](Runtime&) {
        if (pool == nullptr || value == nullptr || attribute < 1 || attribute >= 16) return Error::invalid_value;
        const std::uint64_t held = pool->attributes[static_cast<std::size_t>(attribute)];
        if (attribute >= attribute_release_threshold)
            *static_cast<std::uint64_t*>(value) = held;
        else
            *static_cast<unsigned*>(value) = static_cast<unsigned>(held);
        return Error::success;
    });
}

Error cudaMemPoolSetAccess(Pool*, const void*, std::size_t) {
    return call([](Runtime&) { return Error::success; });
}

} // extern "C"
#pragma GCC visibility pop
