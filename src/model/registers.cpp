#include "model/registers.hpp"

#include <algorithm>

namespace apod::model {

std::uint32_t estimated_registers(const emu::Program& program, const arch::Gpu& gpu) {
    std::uint32_t registers = std::max(16u, program.registers_estimate);
    registers = (registers + 1) / 2 * 2;
    std::uint32_t most = gpu.limits.max_registers_per_thread;
    if (program.function != nullptr) {
        const ptx::Tuning& tuning = program.function->tuning;
        if (tuning.max_registers != 0) most = std::min(most, tuning.max_registers);
        const std::uint32_t* bound = tuning.required_threads[0] != 0 ? tuning.required_threads : tuning.max_threads;
        // A kernel with launch bounds is compiled so that such a block fits.
        if (bound[0] != 0) {
            const std::uint64_t threads = std::uint64_t{bound[0]} * std::max(bound[1], 1u) * std::max(bound[2], 1u);
            const std::uint64_t blocks = std::max(tuning.min_blocks_per_sm, 1u);
            const std::uint64_t share = gpu.limits.registers_per_sm / std::max<std::uint64_t>(threads * blocks, 1) / 8 * 8;
            most = std::min<std::uint32_t>(most, static_cast<std::uint32_t>(std::max<std::uint64_t>(share, 16)));
        }
    }
    return std::min(registers, most);
}

std::uint32_t registers_of(const emu::Program& program, const arch::Gpu& gpu, const MachineCode* machine) {
    constexpr std::uint32_t fewest = 16; // what the driver gives a kernel that needs less
    if (machine != nullptr && machine->kernel.registers > 0) return std::max(fewest, machine->kernel.registers);
    return estimated_registers(program, gpu);
}

} // namespace apod::model
