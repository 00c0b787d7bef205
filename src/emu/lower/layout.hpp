// Where a kernel's parameters, shared and local variables lie.
#pragma once

#include "base/result.hpp"
#include "emu/program.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

namespace apod::emu {

// The local memory of one call of a function.
struct FrameShape {
    std::uint32_t bytes = 0;
    std::uint32_t align = 16;
};

struct Layout {
    // shared, and the kernel's parameters: bytes from the start of their space. local, and what else is in .param space (arguments of
    // calls, the formal parameters and results of functions): bytes from the start of their function's frame.
    std::unordered_map<const ptx::Variable*, std::uint64_t> offset;
    std::unordered_map<const ptx::Function*, FrameShape> frames;
    std::uint32_t shared_bytes = 0;    // static; dynamic shared memory follows
    std::uint32_t local_bytes = 0;     // local variables of the kernel
    std::uint32_t parameter_bytes = 0; // of the kernel
    bool dynamic_shared = false;
};

// The kernel and the functions that it may call; the kernel is the first. Module-scope shared variables count where one of them names them.
Result<Layout> lay_out(const ptx::Module& module, std::span<const ptx::Function* const> functions);

} // namespace apod::emu
