// Devices and memory as programs built with CUDA 13 ask for them.
#include "runtime/cudart/call.hpp"
#include "runtime/cudart/properties.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

#pragma GCC visibility push(default)
extern "C" {

Error cudaRuntimeGetVersion(int* version) {
    constexpr int cuda_version = 13000;
    if (version == nullptr) return remember(Error::invalid_value);
    *version = cuda_version;
    return Error::success;
}

Error cudaGetDeviceProperties(DeviceProperties* properties, int device) {
    if (properties == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        if (device < 0 || device >= runtime.device_count()) return Error::invalid_device;
        *properties = device_properties(runtime.gpu(), device);
        return Error::success;
    });
}

// Everything lies where everybody reaches it: advice changes nothing. A location is a structure of two ints, passed as one number.
Error cudaMemAdvise(const void*, std::size_t, int, long) {
    return call([](Runtime&) { return Error::success; });
}

Error cudaMemPrefetchAsync(const void*, std::size_t, long, unsigned, Stream* handle) {
    return stream_call(handle, [](Runtime&, Stream&) { return Error::success; });
}

} // extern "C"
#pragma GCC visibility pop
