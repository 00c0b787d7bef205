// Devices: which there are, which one is current, what they can do.
#include "runtime/cudart/call.hpp"
#include "runtime/cudart/properties.hpp"

#include <cstdio>
#include <cstring>

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

constexpr int cuda_version = 13000;

// Runs the body when the number is a device's.
template<class Body> Error device_call(int device, const Body& body) {
    return call([&](Runtime& runtime) {
        if (device < 0 || device >= runtime.device_count()) return Error::invalid_device;
        return body(runtime);
    });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaGetDeviceCount(int* count) {
    if (count == nullptr) return remember(Error::invalid_value);
    *count = 0;
    return call([&](Runtime& runtime) {
        *count = runtime.device_count();
        return Error::success;
    });
}

Error cudaSetDevice(int device) {
    return device_call(device, [&](Runtime&) {
        this_thread().device = device;
        return Error::success;
    });
}

Error cudaInitDevice(int device, unsigned, unsigned) {
    return device_call(device, [](Runtime&) { return Error::success; });
}

Error cudaGetDevice(int* device) {
    return call([&](Runtime&) {
        *device = this_thread().device;
        return Error::success;
    });
}

Error cudaDeviceGetAttribute(int* value, int attribute, int device) {
    if (value == nullptr) return remember(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        const std::optional<int> known = device_attribute(runtime.gpu(), device, attribute);
        if (!known) return Error::invalid_value;
        *value = *known;
        return Error::success;
    });
}

Error cudaDeviceSynchronize() {
    return call([](Runtime& runtime) {
        if (const Error error = runtime.captures().wait_for_device(this_thread().device); error != Error::success) return error;
        Timeline& timeline = runtime.device(this_thread().device).timeline;
        timeline.host_waits_for(timeline.all_ready_ns());
        return Error::success;
    });
}

// Frees the device's memory and forgets a kernel's fault.
Error cudaDeviceReset() {
    {
        Runtime& runtime = Runtime::instance();
        const std::lock_guard lock(runtime.mutex);
        if (runtime.start_error() != Error::success) return remember(runtime.start_error());
        const int device = this_thread().device;
        runtime.memory().free_all_of(device);
        runtime.device(device).fault = Error::success;
    }
    this_thread().last = Error::success;
    return Error::success;
}

Error cudaSetDeviceFlags(unsigned flags) {
    return call([&](Runtime& runtime) {
        runtime.device(this_thread().device).flags = flags;
        return Error::success;
    });
}

Error cudaGetDeviceFlags(unsigned* flags) {
    return call([&](Runtime& runtime) {
        *flags = runtime.device(this_thread().device).flags | 8u; // host memory can be mapped
        return Error::success;
    });
}

Error cudaSetValidDevices(int*, int) {
    return call([](Runtime&) { return Error::success; });
}

Error cudaChooseDevice(int* device, const DeviceProperties*) {
    return call([&](Runtime&) {
        *device = 0;
        return Error::success;
    });
}

Error cudaDeviceSetLimit(int limit, std::size_t value) {
    return call([&](Runtime& runtime) {
        Device& device = runtime.device(this_thread().device);
        if (!device.limit(limit)) return Error::unsupported_limit;
        device.limits[limit] = value;
        return Error::success;
    });
}

Error cudaDeviceGetLimit(std::size_t* value, int limit) {
    return call([&](Runtime& runtime) {
        const std::optional<std::uint64_t> held = runtime.device(this_thread().device).limit(limit);
        if (!held) return Error::unsupported_limit;
        *value = *held;
        return Error::success;
    });
}

Error cudaDeviceSetCacheConfig(int) {
    return call([](Runtime&) { return Error::success; });
}
Error cudaDeviceGetCacheConfig(int* config) {
    *config = 0;
    return call([](Runtime&) { return Error::success; });
}
Error cudaDeviceSetSharedMemConfig(int) {
    return call([](Runtime&) { return Error::success; });
}
Error cudaDeviceGetSharedMemConfig(int* config) {
    *config = 1; // four-byte banks
    return call([](Runtime&) { return Error::success; });
}
Error cudaCtxResetPersistingL2Cache() {
    return call([](Runtime&) { return Error::success; });
}

Error cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    return device_call(device, [&](Runtime& runtime) {
        if (peer < 0 || peer >= runtime.device_count()) return Error::invalid_device;
        *can = device != peer ? 1 : 0;
        return Error::success;
    });
}

Error cudaDeviceEnablePeerAccess(int peer, unsigned) {
    return device_call(peer, [&](Runtime& runtime) {
        if (peer == this_thread().device) return Error::invalid_device;
        const bool fresh = runtime.device(this_thread().device).peers.insert(peer).second;
        return fresh ? Error::success : Error::peer_access_already_enabled;
    });
}

Error cudaDeviceDisablePeerAccess(int peer) {
    return device_call(peer, [&](Runtime& runtime) {
        return runtime.device(this_thread().device).peers.erase(peer) != 0 ? Error::success : Error::peer_access_not_enabled;
    });
}

Error cudaDeviceGetP2PAttribute(int* value, int attribute, int device, int peer) {
    return device_call(device, [&](Runtime&) {
        *value = attribute == 1 ? 0 : (device != peer ? 1 : 0); // 1 is a performance rank
        return Error::success;
    });
}

Error cudaDeviceGetPCIBusId(char* text, int length, int device) {
    return device_call(device, [&](Runtime&) {
        const int needed = std::snprintf(text, static_cast<std::size_t>(length), "0000:%02X:00.0", device + 1);
        return needed < length ? Error::success : Error::invalid_value;
    });
}

Error cudaDeviceGetByPCIBusId(int* device, const char* text) {
    return call([&](Runtime& runtime) {
        unsigned bus = 0;
        if (std::sscanf(text, "0000:%2x:", &bus) != 1 || bus < 1 || static_cast<int>(bus) > runtime.device_count())
            return Error::invalid_device;
        *device = static_cast<int>(bus) - 1;
        return Error::success;
    });
}

Error cudaDriverGetVersion(int* version) {
    *version = cuda_version;
    return Error::success;
}

Error cudaProfilerStart() { return Error::success; }
Error cudaProfilerStop() { return Error::success; }

} // extern "C"
#pragma GCC visibility pop
