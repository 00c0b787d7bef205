// The machine code of a kernel beside its PTX: which op of the program each instruction was made from.
#pragma once

#include "arch/gpu.hpp"
#include "emu/program.hpp"
#include "sass/cubin.hpp"
#include "sass/flow.hpp"

#include <memory>
#include <vector>

namespace apod::model {

inline constexpr std::uint32_t no_op = 0xffffffff;

struct MachineCode {
    sass::Kernel kernel;
    sass::CodeFlow flow;
    std::vector<std::uint32_t> op; // by instruction: index into Program::ops, or no_op
    // By loop of the code: the atomic that it carries out by compare and swap, or no_op.
    std::vector<std::uint32_t> swapped;
    [[nodiscard]] bool in_loop_of_swaps(std::uint32_t instruction) const {
        for (std::size_t loop = 0; loop < swapped.size(); ++loop)
            if (swapped[loop] != no_op && swapped[loop] == op[instruction]) return true;
        return false;
    }
};

// `op`: by instruction, as in MachineCode.
[[nodiscard]] std::shared_ptr<const MachineCode> make_machine_code(sass::Kernel kernel, std::vector<std::uint32_t> op,
                                                                   const emu::Program& program);

// Assembles the kernel for the GPU where ptxas is installed, once for each text, kernel, capability and `most_registers` (a thread; 0: as
// many as ptxas likes). Null where it is not, or where ptxas does not take the text (PTX for a later GPU, modules that were linked from
// several): the model then estimates from the PTX.
[[nodiscard]] std::shared_ptr<const MachineCode> machine_code_of(const emu::Program& program, const arch::Gpu& gpu,
                                                                 std::uint32_t most_registers = 0);

} // namespace apod::model
