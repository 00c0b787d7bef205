// NVML, libnvidia-ml.so.1, loaded at run time: clocks, limits and the link, which the driver API does not tell. All of it is optional.
#pragma once

#include "device/async.hpp"
#include "device/cuda/shared_library.hpp"
#include "device/facts.hpp"

#include <memory>
#include <string>

namespace apod::device::cuda {

class Nvml {
public:
    static constexpr const char* default_library = "libnvidia-ml.so.1";
    // Not there, or it does not start: unavailable.
    static Result<std::shared_ptr<const Nvml>> load(const std::string& library = default_library);

    // One GPU of it. Null handle: NVML does not know the address.
    using Handle = struct NvmlDevice*;
    [[nodiscard]] Handle find(const std::string& bus_id) const;

    [[nodiscard]] ClockState clocks(Handle device) const;
    // Driver version, link, ECC, MIG, persistence and power limit, as far as they are told.
    void tell(Handle device, DeviceFacts& facts) const;

    struct Functions;
    Nvml(std::shared_ptr<SharedLibrary> library, std::shared_ptr<const Functions> functions) :
        library_(std::move(library)), functions_(std::move(functions)) {}

private:
    std::shared_ptr<SharedLibrary> library_;
    std::shared_ptr<const Functions> functions_;
};

} // namespace apod::device::cuda
