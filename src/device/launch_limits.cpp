#include "device/launch_limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::device {

namespace {

struct Axis {
    const char* what;
    std::uint64_t value;
    std::uint64_t most;
};

} // namespace

Diagnostic of_kernel(std::string_view name, Diagnostic refused) {
    refused.message = fmt::format("kernel {}: {}", name, refused.message);
    return refused;
}

Result<void> check_shape(const Launch& launch, const arch::Gpu& gpu) {
    const arch::Limits& limits = gpu.limits;
    const Axis axes[] = {{"grid.x", launch.grid.x, limits.max_grid_x},    {"grid.y", launch.grid.y, limits.max_grid_y},
                         {"grid.z", launch.grid.z, limits.max_grid_z},    {"block.x", launch.block.x, limits.max_block_x},
                         {"block.y", launch.block.y, limits.max_block_y}, {"block.z", launch.block.z, limits.max_block_z}};
    for (const Axis& axis : axes) {
        if (axis.value == 0) return bad_input({}, fmt::format("{} is 0", axis.what), "every extent of grid and block is at least 1");
        if (axis.value > axis.most)
            return bad_input({}, fmt::format("{} is {}, {} allows {}", axis.what, axis.value, gpu.name, axis.most),
                             "let each thread do more, or use another axis");
    }
    if (launch.block.count() > limits.max_threads_per_block)
        return bad_input({},
                         fmt::format("a block of {} x {} x {} has {} threads, {} allows {}", launch.block.x, launch.block.y, launch.block.z,
                                     launch.block.count(), gpu.name, limits.max_threads_per_block),
                         "make the block smaller and the grid larger");
    return {};
}

Result<void> check_memory(std::uint64_t static_shared_bytes, std::uint64_t parameter_bytes, const Launch& launch, const arch::Gpu& gpu) {
    const std::uint64_t most = std::max(gpu.limits.shared_per_block_optin_bytes, gpu.limits.shared_per_block_bytes);
    const std::uint64_t asked = static_shared_bytes + launch.dynamic_shared_bytes;
    if (asked > most)
        return bad_input({},
                         fmt::format("a block wants {} bytes of shared memory ({} static, {} dynamic), {} allows {}", asked,
                                     static_shared_bytes, launch.dynamic_shared_bytes, gpu.name, most),
                         "use a smaller tile");
    if (launch.parameters.size() != parameter_bytes)
        return bad_input({}, fmt::format("it takes {} bytes of parameters, {} were given", parameter_bytes, launch.parameters.size()),
                         "check the number and types of the arguments");
    return {};
}

} // namespace apod::device
