// ptxas, where it is installed: the machine code of a kernel for the GPU that is predicted.
#pragma once

#include "base/result.hpp"
#include "sass/cubin.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace apod::sass {

// $APOD_PTXAS when set (set but empty: there is none), else ptxas in PATH, else /usr/local/cuda/bin/ptxas.
[[nodiscard]] std::optional<std::filesystem::path> find_ptxas();

struct AssembleFor {
    int capability = 0;               // 90: sm_90
    std::uint32_t most_registers = 0; // a thread; what does not fit is spilled to local memory. 0: as ptxas likes
    bool relocatable = false;         // what the PTX declares is defined elsewhere, as in a unit of -rdc=true
};

// Assembles one kernel of the PTX. Errors: unavailable when ptxas cannot be run or does not take the
// PTX (the notes say what it said), bad_input when its output is not understood.
Result<Kernel> assemble(const std::filesystem::path& ptxas, std::string_view ptx, std::string_view kernel, const AssembleFor& target);

} // namespace apod::sass
