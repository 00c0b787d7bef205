// Launching as it was before cuLaunchKernel: shape, shared memory and arguments are set one by one and stay with the kernel.
#include "runtime/cuda/kernel_call.hpp"

#include <array>
#include <cstring>
#include <map>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

extern "C" Error cuLaunchKernel(Kernel* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                                unsigned block_z, unsigned dynamic_shared, Stream* stream, void** arguments, void** extra);

namespace {

constexpr std::size_t most_bytes = 4096; // of arguments

struct KernelSettings {
    std::array<int, 3> block = {1, 1, 1};
    unsigned dynamic_shared = 0;
    std::size_t bytes = 0;
    std::array<std::byte, most_bytes> arguments = {};
};

KernelSettings& settings_of(const Kernel& kernel) {
    static auto& all = *new std::map<const Kernel*, KernelSettings>;
    return all[&kernel];
}

template<class Body> Error with_settings(const void* handle, const Body& body) {
    return kernel_call(handle, [&](Runtime&, Kernel& kernel, const apod::emu::Program&) { return body(settings_of(kernel)); });
}

Error set_argument(const void* kernel, int offset, const void* value, std::size_t bytes) {
    if (offset < 0 || value == nullptr || bytes > most_bytes || static_cast<std::size_t>(offset) > most_bytes - bytes)
        return Error::invalid_value;
    return with_settings(kernel, [&](KernelSettings& settings) {
        std::memcpy(settings.arguments.data() + offset, value, bytes);
        return Error::success;
    });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuFuncSetBlockShape(Kernel* kernel, int x, int y, int z) {
    if (x <= 0 || y <= 0 || z <= 0) return refuse(Error::invalid_value);
    return with_settings(kernel, [&](KernelSettings& settings) {
        settings.block = {x, y, z};
        return Error::success;
    });
}

Error cuFuncSetSharedSize(Kernel* kernel, unsigned bytes) {
    return with_settings(kernel, [&](KernelSettings& settings) {
        settings.dynamic_shared = bytes;
        return Error::success;
    });
}

Error cuParamSetSize(Kernel* kernel, unsigned bytes) {
    if (bytes > most_bytes) return refuse(Error::invalid_value);
    return with_settings(kernel, [&](KernelSettings& settings) {
        settings.bytes = bytes;
        return Error::success;
    });
}

Error cuParamSeti(Kernel* kernel, int offset, unsigned value) { return set_argument(kernel, offset, &value, sizeof value); }
Error cuParamSetf(Kernel* kernel, int offset, float value) { return set_argument(kernel, offset, &value, sizeof value); }
Error cuParamSetv(Kernel* kernel, int offset, const void* value, unsigned bytes) { return set_argument(kernel, offset, value, bytes); }

Error cuLaunchGridAsync(Kernel* kernel, int width, int height, Stream* stream) {
    if (width <= 0 || height <= 0) return refuse(Error::invalid_value);
    KernelSettings settings;
    const Error error = with_settings(kernel, [&](const KernelSettings& set) {
        settings = set;
        return Error::success;
    });
    if (error != Error::success) return error;
    constexpr std::uintptr_t buffer = 1, size = 2, end = 0; // CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE, _END
    void* extra[] = {reinterpret_cast<void*>(buffer), settings.arguments.data(), reinterpret_cast<void*>(size), &settings.bytes,
                     reinterpret_cast<void*>(end)};
    const auto [x, y, z] = settings.block;
    return cuLaunchKernel(kernel, static_cast<unsigned>(width), static_cast<unsigned>(height), 1, static_cast<unsigned>(x),
                          static_cast<unsigned>(y), static_cast<unsigned>(z), settings.dynamic_shared, stream, nullptr, extra);
}

Error cuLaunchGrid(Kernel* kernel, int width, int height) { return cuLaunchGridAsync(kernel, width, height, nullptr); }
Error cuLaunch(Kernel* kernel) { return cuLaunchGrid(kernel, 1, 1); }
}
