// From a fault inside a kernel to a message that says what, where and who.
#pragma once

#include "emu/block.hpp"

#include <string>

namespace apod::emu {

// The source line of an op, or its place in the PTX.
[[nodiscard]] SourcePosition place_of(const Program& program, std::uint32_t op);

// kernel, source line (through inlining), block and thread, address and the allocation nearest to it; for deadlocks where each warp stands.
[[nodiscard]] Diagnostic describe_fault(const LaunchState& launch, const Block& block);

} // namespace apod::emu
