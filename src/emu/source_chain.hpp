// Where an op comes from in the source, through the functions that were inlined.
#pragma once

#include "emu/program.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apod::emu {

struct SourceFrame {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string call; // demangled: the function that holds the frame before this one and is called here; of the innermost empty
};

// Innermost first; empty without -lineinfo.
[[nodiscard]] std::vector<SourceFrame> source_chain(const Program& program, std::uint32_t op);

// The innermost frame that is not in a header of the CUDA toolkit: the line that the reader can change. 0 when all are.
[[nodiscard]] std::size_t own_frame(const std::vector<SourceFrame>& chain);

// Of the toolkit's function that the own frame calls: "__shfl_down_sync (sm_30_intrinsics.hpp:440)"; empty when it calls none.
[[nodiscard]] std::string toolkit_call(const std::vector<SourceFrame>& chain);

[[nodiscard]] bool is_toolkit_header(std::string_view file);

} // namespace apod::emu
