// A rung's launches made ready for a device: extents evaluated, arguments checked against the kernel's parameters and packed.
#pragma once

#include "base/result.hpp"
#include "device/device.hpp"
#include "ladder/host_buffer.hpp"
#include "ladder/ladder.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace apod::ladder {

// A buffer as a kernel sees it.
struct BoundBuffer {
    std::string name;
    ElementType type = ElementType::f32;
    device::Address address = 0;
};

struct BoundLaunch {
    std::shared_ptr<device::Kernel> kernel;
    device::Launch launch;
    SourcePosition where; // of the launch in the ladder file
};

// Wrong numbers, types or ranges of arguments, extents below 1: bad_input at the place in the ladder file.
Result<std::vector<std::byte>> pack_arguments(const KernelLaunch& launch, const device::KernelInfo& kernel,
                                              const std::vector<BoundBuffer>& buffers, const Environment& parameters);

// Looks for the kernel in each of the modules.
Result<BoundLaunch> bind_launch(const KernelLaunch& launch, const std::vector<std::shared_ptr<device::Code>>& modules,
                                const std::vector<BoundBuffer>& buffers, const Environment& parameters);

} // namespace apod::ladder
