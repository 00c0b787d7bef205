// cuInit and what is asked of devices.
#include "runtime/cuda/call.hpp"
#include "runtime/cudart/properties.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

constexpr int cuda_version = 13000;

std::optional<int> attribute_of(Runtime& runtime, int device, int attribute) {
    return cudart::device_attribute(runtime.gpu(), device, attribute);
}

void copy_text(char* to, int room, const std::string& text) {
    if (room <= 0) return;
    const std::size_t bytes = std::min(text.size(), static_cast<std::size_t>(room) - 1);
    std::memcpy(to, text.data(), bytes);
    to[bytes] = '\0';
}

std::string bus_id(int device) {
    char text[16];
    std::snprintf(text, sizeof text, "0000:%02X:00.0", static_cast<unsigned>(device + 1) & 0xffu);
    return text;
}

OldProperties old_properties(const cudart::DeviceProperties& p, int clock_khz) {
    OldProperties old = {};
    old.max_threads_per_block = p.max_threads_per_block;
    std::copy(std::begin(p.max_threads_dim), std::end(p.max_threads_dim), std::begin(old.max_threads_dim));
    std::copy(std::begin(p.max_grid_size), std::end(p.max_grid_size), std::begin(old.max_grid_size));
    old.shared_per_block = static_cast<int>(p.shared_per_block);
    old.total_constant_memory = static_cast<int>(p.total_constant_memory);
    old.warp_size = p.warp_size;
    old.memory_pitch = static_cast<int>(p.memory_pitch);
    old.registers_per_block = p.registers_per_block;
    old.clock_khz = clock_khz;
    old.texture_alignment = static_cast<int>(p.texture_alignment);
    return old;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuInit(unsigned flags) {
    if (flags != 0) return refuse(Error::invalid_value);
    try {
        Runtime& runtime = Runtime::instance();
        const std::lock_guard lock(runtime.mutex);
        if (runtime.start_error() != Error::success) return runtime.start_error();
        Contexts::instance().initialised = true;
        return Error::success;
    } catch (...) {
        return Error::no_device;
    }
}

Error cuDriverGetVersion(int* version) {
    if (version == nullptr) return refuse(Error::invalid_value);
    *version = cuda_version;
    return Error::success;
}

Error cuDeviceGetCount(int* count) {
    if (count == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        *count = runtime.device_count();
        return Error::success;
    });
}

Error cuDeviceGet(int* device, int ordinal) {
    if (device == nullptr) return refuse(Error::invalid_value);
    return device_call(ordinal, [&](Runtime&) {
        *device = ordinal;
        return Error::success;
    });
}

Error cuDeviceGetName(char* name, int room, int device) {
    if (name == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        copy_text(name, room, runtime.gpu().name);
        return Error::success;
    });
}

Error cuDeviceGetUuid_v2(Uuid* uuid, int device) {
    if (uuid == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        const cudart::DeviceProperties properties = cudart::device_properties(runtime.gpu(), device);
        std::memcpy(uuid->bytes, properties.uuid, sizeof uuid->bytes);
        return Error::success;
    });
}

Error cuDeviceGetUuid(Uuid* uuid, int device) { return cuDeviceGetUuid_v2(uuid, device); }

Error cuDeviceGetLuid(char* luid, unsigned* mask, int device) {
    return device_call(device, [&](Runtime&) {
        (void)luid;
        (void)mask;
        return Error::not_supported; // as on Linux
    });
}

Error cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
    if (bytes == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        *bytes = runtime.gpu().memory.size_bytes;
        return Error::success;
    });
}

Error cuDeviceGetAttribute(int* value, int attribute, int device) {
    if (value == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        const std::optional<int> known = attribute_of(runtime, device, attribute);
        if (!known) return Error::invalid_value;
        *value = *known;
        return Error::success;
    });
}

Error cuDeviceComputeCapability(int* major, int* minor, int device) {
    if (major == nullptr || minor == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        *major = runtime.gpu().cc.major;
        *minor = runtime.gpu().cc.minor;
        return Error::success;
    });
}

Error cuDeviceGetProperties(OldProperties* properties, int device) {
    if (properties == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        constexpr int clock_attribute = 13;
        *properties = old_properties(cudart::device_properties(runtime.gpu(), device), *attribute_of(runtime, device, clock_attribute));
        return Error::success;
    });
}

Error cuDeviceGetTexture1DLinearMaxWidth(std::size_t* elements, int, unsigned, int device) {
    if (elements == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime&) {
        *elements = std::size_t{1} << 28; // Programming Guide, "Technical specifications"
        return Error::success;
    });
}

Error cuDeviceGetPCIBusId(char* text, int room, int device) {
    if (text == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime&) {
        const std::string id = bus_id(device);
        if (static_cast<std::size_t>(std::max(room, 0)) <= id.size()) return Error::invalid_value;
        copy_text(text, room, id);
        return Error::success;
    });
}

Error cuDeviceGetByPCIBusId(int* device, const char* text) {
    if (device == nullptr || text == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        unsigned bus = 0;
        if (std::sscanf(text, "%*x:%2x:", &bus) != 1 || bus < 1 || static_cast<int>(bus) > runtime.device_count())
            return Error::invalid_device;
        *device = static_cast<int>(bus) - 1;
        return Error::success;
    });
}

Error cuDeviceCanAccessPeer(int* can, int device, int peer) {
    if (can == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        if (peer < 0 || peer >= runtime.device_count()) return Error::invalid_device;
        *can = device != peer ? 1 : 0;
        return Error::success;
    });
}

Error cuDeviceGetP2PAttribute(int* value, int attribute, int device, int peer) {
    if (value == nullptr || attribute < 1 || attribute > 5) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        if (peer < 0 || peer >= runtime.device_count() || peer == device) return Error::invalid_device;
        constexpr int performance_rank = 1;
        constexpr int only_partial_atomics = 5;
        *value = attribute == performance_rank || attribute == only_partial_atomics ? 0 : 1;
        return Error::success;
    });
}

Error cuDeviceGetExecAffinitySupport(int* supported, int, int device) {
    if (supported == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime&) {
        *supported = 0;
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
