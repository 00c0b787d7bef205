// ptxas, where it is installed: the machine code of a kernel for the GPU that is predicted.
#pragma once

#include "base/result.hpp"
#include "sass/cubin.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace apod::sass {

// $APOD_PTXAS when set (set but empty: there is none), else ptxas in PATH, else /usr/local/cuda/bin/ptxas.
[[nodiscard]] std::optional<std::filesystem::path> find_ptxas();

// Assembles one kernel of the PTX for the compute capability (90: sm_90). Errors: unavailable when ptxas cannot be run or does not take the
// PTX (the notes say what it said), bad_input when its output is not understood.
Result<Kernel> assemble(const std::filesystem::path& ptxas, std::string_view ptx, std::string_view kernel, int capability);

} // namespace apod::sass
