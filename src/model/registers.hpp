// Registers a thread, as ptxas may allocate them.
#pragma once

#include "arch/gpu.hpp"
#include "emu/program.hpp"
#include "model/machine/machine_code.hpp"

#include <cstdint>

namespace apod::model {

// From the liveness estimate: never under 16 (what ptxas gives the smallest kernels of today's GPUs), rounded up to 2, and within what
// .maxnreg and the hardware allow.
[[nodiscard]] std::uint32_t estimated_registers(const emu::Program& program, const arch::Gpu& gpu);

// Those of the machine code where there is any, else the estimate.
[[nodiscard]] std::uint32_t registers_of(const emu::Program& program, const arch::Gpu& gpu, const MachineCode* machine);

} // namespace apod::model
