#include "device/emulated/launch_limits.hpp"

#include "arch/occupancy.hpp"
#include "device/launch_limits.hpp"

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

Diagnostic refused(const emu::Program& program, Diagnostic reason) { return of_kernel(ptx::demangle(program.name()), std::move(reason)); }

Diagnostic refused(const emu::Program& program, std::string message, std::string hint) {
    return refused(program, bad_input({}, std::move(message), std::move(hint)));
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

Result<void> check_static_shared(const emu::Program& program, const arch::Gpu& gpu) {
    if (program.static_shared_bytes <= gpu.limits.shared_per_block_bytes) return {};
    return refused(program,
                   fmt::format("it declares {} bytes of static shared memory, the limit is {}", program.static_shared_bytes,
                               gpu.limits.shared_per_block_bytes),
                   "use dynamic shared memory (extern __shared__) for more");
}

} // namespace

Result<void> check_target(const ptx::Module& module, const arch::Gpu& gpu) {
    const Target target = parse_target(module.target);
    if (target.number == 0) return {};
    const int device = gpu.cc.number();
    constexpr int oldest_of_nvcc = 75;
    const bool same_family = target.number / 10 == device / 10;
    const bool runs = target.family == 'a'   ? target.number == device
                      : target.family == 'f' ? same_family && target.number <= device
                                             : target.number <= device;
    if (runs) return {};
    return bad_input(
        {module.file, 0, 0},
        fmt::format("the PTX is for {}, {} has compute capability {}.{}", module.target, gpu.name, gpu.cc.major, gpu.cc.minor),
        device < oldest_of_nvcc
            ? fmt::format("nvcc of CUDA 13 compiles for 7.5 and newer: take a newer GPU (apod devices lists them), or nvcc of a "
                          "CUDA that knows sm_{}",
                          device)
            : fmt::format("compile with -arch=sm_{} or lower", device));
}

Result<void> check_launch(const emu::Program& program, const Launch& launch, const arch::Gpu& gpu) {
    if (auto shape = check_shape(launch, gpu); !shape) return refused(program, shape.error());
    if (auto bounds = check_bounds(program, launch); !bounds) return bounds.error();
    if (auto shared = check_static_shared(program, gpu); !shared) return shared.error();
    if (auto memory = check_memory(program.static_shared_bytes, program.parameter_bytes, launch, gpu); !memory)
        return refused(program, memory.error());
    return {};
}

} // namespace apod::device
