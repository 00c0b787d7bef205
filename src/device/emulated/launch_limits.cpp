#include "device/emulated/launch_limits.hpp"

#include "arch/occupancy.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace apod::device {

namespace {

struct Target {
    int number = 0;  // sm_90a -> 90
    char family = 0; // a, f or nothing
};

Target parse_target(std::string_view text) {
    Target target;
    if (!text.starts_with("sm_")) return target;
    text.remove_prefix(3);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), target.number);
    if (error == std::errc() && end != text.data() + text.size()) target.family = *end;
    return target;
}

Diagnostic refused(const emu::Program& program, std::string message, std::string hint) {
    return bad_input({}, fmt::format("kernel {}: {}", ptx::demangle(program.name()), message), std::move(hint));
}

struct Axis {
    const char* what;
    std::uint64_t value;
    std::uint64_t most;
};

Result<void> check_shape(const emu::Program& program, const Launch& launch, const arch::Gpu& gpu) {
    const arch::Limits& limits = gpu.limits;
    const std::array<Axis, 6> axes = {{{"grid.x", launch.grid.x, limits.max_grid_x},
                                       {"grid.y", launch.grid.y, limits.max_grid_y},
                                       {"grid.z", launch.grid.z, limits.max_grid_z},
                                       {"block.x", launch.block.x, limits.max_block_x},
                                       {"block.y", launch.block.y, limits.max_block_y},
                                       {"block.z", launch.block.z, limits.max_block_z}}};
    for (const Axis& axis : axes) {
        if (axis.value == 0) return refused(program, fmt::format("{} is 0", axis.what), "every extent of grid and block is at least 1");
        if (axis.value > axis.most)
            return refused(program, fmt::format("{} is {}, {} allows {}", axis.what, axis.value, gpu.name, axis.most),
                           "let each thread do more, or use another axis");
    }
    if (launch.block.count() > limits.max_threads_per_block)
        return refused(program,
                       fmt::format("a block of {} x {} x {} has {} threads, {} allows {}", launch.block.x, launch.block.y, launch.block.z,
                                   launch.block.count(), gpu.name, limits.max_threads_per_block),
                       "make the block smaller and the grid larger");
    return {};
}

// .maxntid and .reqntid: what __launch_bounds__ and __block_size__ promised to the compiler.
Result<void> check_bounds(const emu::Program& program, const Launch& launch) {
    const ptx::Tuning& tuning = program.function->tuning;
    const std::array<std::uint32_t, 3> block = {launch.block.x, launch.block.y, launch.block.z};
    if (tuning.required_threads[0] != 0) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (block[axis] != std::max(tuning.required_threads[axis], 1u))
                return refused(program,
                               fmt::format("it was compiled for blocks of {} x {} x {} threads only", tuning.required_threads[0],
                                           std::max(tuning.required_threads[1], 1u), std::max(tuning.required_threads[2], 1u)),
                               "launch it with that block");
    }
    if (tuning.max_threads[0] != 0) {
        std::uint64_t most = 1;
        for (const std::uint32_t extent : tuning.max_threads) most *= std::max(extent, 1u);
        if (launch.block.count() > most)
            return refused(program, fmt::format("the block has {} threads, its __launch_bounds__ allow {}", launch.block.count(), most),
                           "use a smaller block or raise __launch_bounds__");
    }
    return {};
}

Result<void> check_shared(const emu::Program& program, const Launch& launch, const arch::Gpu& gpu) {
    const arch::Limits& limits = gpu.limits;
    if (program.static_shared_bytes > limits.shared_per_block_bytes)
        return refused(program,
                       fmt::format("it declares {} bytes of static shared memory, the limit is {}", program.static_shared_bytes,
                                   limits.shared_per_block_bytes),
                       "use dynamic shared memory (extern __shared__) for more");
    const std::uint64_t most = std::max(limits.shared_per_block_optin_bytes, limits.shared_per_block_bytes);
    const std::uint64_t asked = std::uint64_t{program.static_shared_bytes} + launch.dynamic_shared_bytes;
    if (asked > most)
        return refused(program,
                       fmt::format("a block wants {} bytes of shared memory ({} static, {} dynamic), {} allows {}", asked,
                                   program.static_shared_bytes, launch.dynamic_shared_bytes, gpu.name, most),
                       "use a smaller tile");
    return {};
}

} // namespace

Result<void> check_target(const ptx::Module& module, const arch::Gpu& gpu) {
    const Target target = parse_target(module.target);
    if (target.number == 0) return {};
    const int device = gpu.cc.number();
    const bool same_family = target.number / 10 == device / 10;
    const bool runs = target.family == 'a'   ? target.number == device
                      : target.family == 'f' ? same_family && target.number <= device
                                             : target.number <= device;
    if (runs) return {};
    return bad_input({module.file, 0, 0},
                     fmt::format("the PTX is for {}, {} has compute capability {}.{}", module.target, gpu.name, gpu.cc.major, gpu.cc.minor),
                     fmt::format("compile with -arch=sm_{} or lower", device));
}

Result<void> check_launch(const emu::Program& program, const Launch& launch, const arch::Gpu& gpu) {
    if (auto shape = check_shape(program, launch, gpu); !shape) return shape.error();
    if (auto bounds = check_bounds(program, launch); !bounds) return bounds.error();
    if (auto shared = check_shared(program, launch, gpu); !shared) return shared.error();
    if (launch.parameters.size() != program.parameter_bytes)
        return refused(program,
                       fmt::format("it takes {} bytes of parameters, {} were given", program.parameter_bytes, launch.parameters.size()),
                       "check the number and types of the arguments");
    return {};
}

} // namespace apod::device
