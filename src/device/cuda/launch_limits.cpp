// What a device can launch, checked before the driver is asked: it answers "invalid value" to all of it.
#include "device/cuda/module.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::device::cuda {

namespace {

struct Axis {
    const char* what;
    std::uint64_t value;
    std::uint64_t most;
};

Diagnostic refused(const KernelInfo& kernel, std::string message, std::string hint) {
    return bad_input({}, fmt::format("kernel {}: {}", kernel.display, message), std::move(hint));
}

} // namespace

Result<void> check_launch(const KernelInfo& kernel, const Launch& launch, const arch::Gpu& gpu) {
    const arch::Limits& limits = gpu.limits;
    const Axis axes[] = {{"grid.x", launch.grid.x, limits.max_grid_x},    {"grid.y", launch.grid.y, limits.max_grid_y},
                         {"grid.z", launch.grid.z, limits.max_grid_z},    {"block.x", launch.block.x, limits.max_block_x},
                         {"block.y", launch.block.y, limits.max_block_y}, {"block.z", launch.block.z, limits.max_block_z}};
    for (const Axis& axis : axes) {
        if (axis.value == 0) return refused(kernel, fmt::format("{} is 0", axis.what), "every extent of grid and block is at least 1");
        if (axis.value > axis.most)
            return refused(kernel, fmt::format("{} is {}, {} allows {}", axis.what, axis.value, gpu.name, axis.most),
                           "let each thread do more, or use another axis");
    }
    if (launch.block.count() > limits.max_threads_per_block)
        return refused(kernel,
                       fmt::format("a block of {} x {} x {} has {} threads, {} allows {}", launch.block.x, launch.block.y, launch.block.z,
                                   launch.block.count(), gpu.name, limits.max_threads_per_block),
                       "make the block smaller and the grid larger");
    const std::uint64_t most = std::max(limits.shared_per_block_optin_bytes, limits.shared_per_block_bytes);
    const std::uint64_t asked = std::uint64_t{kernel.static_shared_bytes} + launch.dynamic_shared_bytes;
    if (asked > most)
        return refused(kernel,
                       fmt::format("a block wants {} bytes of shared memory ({} static, {} dynamic), {} allows {}", asked,
                                   kernel.static_shared_bytes, launch.dynamic_shared_bytes, gpu.name, most),
                       "use a smaller tile");
    if (launch.parameters.size() != kernel.parameter_bytes)
        return refused(kernel,
                       fmt::format("it takes {} bytes of parameters, {} were given", kernel.parameter_bytes, launch.parameters.size()),
                       "check the number and types of the arguments");
    return {};
}

} // namespace apod::device::cuda
