// Machine code as ptxas writes it: an ELF file with a section of instructions for each kernel.
#pragma once

#include "base/result.hpp"
#include "sass/instruction.hpp"

#include <string_view>
#include <vector>

namespace apod::sass {

struct Kernel {
    std::vector<Instruction> instructions; // as they lie in memory; filling at the end is left out
    std::uint32_t registers = 0;           // of a thread
    std::uint32_t stack_bytes = 0;         // local memory of a thread: arrays and spilled registers
};

// Reads one kernel of a cubin. Lines of the PTX are known where ptxas ran with --generate-line-info. `file` names the cubin in messages.
// Errors are bad_input: not a cubin, cut off, no such kernel, instructions of another format (before compute capability 7.0).
Result<Kernel> read_cubin(std::string_view bytes, std::string_view kernel, int capability, const std::string& file);

} // namespace apod::sass
