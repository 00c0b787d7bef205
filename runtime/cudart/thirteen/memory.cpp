// Batches of copies, and pools by location, as CUDA 13 has them.
#include "runtime/core/pool.hpp"
#include "runtime/cudart/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

struct Location { // cudaMemLocation
    int type;
    int device;
};

Error batch(std::size_t count, Stream* handle) {
    return count == 0 ? remember(Error::invalid_value) : stream_call(handle, [](Runtime&, Stream&) { return Error::success; });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* bytes, std::size_t count, void*, std::size_t*,
                           std::size_t, Stream* handle) {
    if (to == nullptr || from == nullptr || bytes == nullptr || count == 0) return remember(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        for (std::size_t i = 0; i < count; ++i) {
            CopyWork work;
            work.to = to[i];
            work.from = from[i];
            work.width = bytes[i];
            if (const Error error = runtime.submit(stream, work); error != Error::success) return error;
        }
        return Error::success;
    });
}

// Everything lies where everybody reaches it.
Error cudaMemPrefetchBatchAsync(void**, std::size_t*, std::size_t count, Location*, std::size_t*, std::size_t, unsigned long long,
                                Stream* handle) {
    return batch(count, handle);
}
Error cudaMemDiscardBatchAsync(void**, std::size_t*, std::size_t count, unsigned long long, Stream* handle) { return batch(count, handle); }
Error cudaMemDiscardAndPrefetchBatchAsync(void**, std::size_t*, std::size_t count, Location*, std::size_t*, std::size_t, unsigned long long,
                                          Stream* handle) {
    return batch(count, handle);
}

Error cudaMemGetDefaultMemPool(Pool** pool, const Location* location, int) {
    return call([&](Runtime& runtime) {
        if (pool == nullptr || location == nullptr) return Error::invalid_value;
        if (location->device < 0 || location->device >= runtime.device_count()) return Error::invalid_device;
        *pool = &default_pool(location->device);
        return Error::success;
    });
}

Error cudaMemGetMemPool(Pool** pool, const Location* location, int type) { return cudaMemGetDefaultMemPool(pool, location, type); }

} // extern "C"
#pragma GCC visibility pop
