// Devices and memory as programs built with CUDA 12 ask for them.
#include "runtime/cudart/call.hpp"
#include "runtime/cudart/properties.hpp"
#include "runtime/cudart/twelve/properties.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

#pragma GCC visibility push(default)
extern "C" {

Error cudaDeviceSynchronize();
Error cudaDeviceReset();
Error cudaDeviceGetLimit(std::size_t* value, int limit);
Error cudaDeviceSetLimit(int limit, std::size_t value);
Error cudaDeviceGetCacheConfig(int* config);
Error cudaDeviceSetCacheConfig(int config);
Error cudaEventElapsedTime(float* milliseconds, Event* start, Event* end);

Error cudaRuntimeGetVersion(int* version) {
    constexpr int cuda_version = 12090;
    if (version == nullptr) return remember(Error::invalid_value);
    *version = cuda_version;
    return Error::success;
}

// The name without _v2 is for programs built with CUDA 11.
Error cudaGetDeviceProperties_v2(DeviceProperties12* properties, int device) {
    if (properties == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        if (device < 0 || device >= runtime.device_count()) return Error::invalid_device;
        *properties = device_properties12(runtime.gpu(), device);
        return Error::success;
    });
}

// Everything lies where everybody reaches it: advice changes nothing. A location is a structure of two ints, passed as one number.
Error cudaMemAdvise(const void*, std::size_t, int, int) {
    return call([](Runtime&) { return Error::success; });
}

Error cudaMemAdvise_v2(const void*, std::size_t, int, long) {
    return call([](Runtime&) { return Error::success; });
}

Error cudaMemPrefetchAsync(const void*, std::size_t, int, Stream* handle) {
    return stream_call(handle, [](Runtime&, Stream&) { return Error::success; });
}

Error cudaMemPrefetchAsync_v2(const void*, std::size_t, long, unsigned, Stream* handle) {
    return stream_call(handle, [](Runtime&, Stream&) { return Error::success; });
}

Error cudaEventElapsedTime_v2(float* milliseconds, Event* start, Event* end) { return cudaEventElapsedTime(milliseconds, start, end); }

// Names from before the device was one thing and the thread another.
Error cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
Error cudaThreadExit() { return cudaDeviceReset(); }
Error cudaThreadGetLimit(std::size_t* value, int limit) { return cudaDeviceGetLimit(value, limit); }
Error cudaThreadSetLimit(int limit, std::size_t value) { return cudaDeviceSetLimit(limit, value); }
Error cudaThreadGetCacheConfig(int* config) { return cudaDeviceGetCacheConfig(config); }
Error cudaThreadSetCacheConfig(int config) { return cudaDeviceSetCacheConfig(config); }

} // extern "C"
#pragma GCC visibility pop
