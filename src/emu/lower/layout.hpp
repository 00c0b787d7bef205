// Where a kernel's parameters, shared and local variables lie.
#pragma once

#include "base/result.hpp"
#include "emu/program.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace apod::emu {

struct Layout {
    std::unordered_map<const ptx::Variable*, std::uint64_t> offset; // shared, local, parameters: bytes from the start of their space
    std::uint32_t shared_bytes = 0;                                 // static; dynamic shared memory follows
    std::uint32_t local_bytes = 0;
    std::uint32_t parameter_bytes = 0;
    bool dynamic_shared = false;
};

// Module-scope shared variables count where the function names them.
Result<Layout> lay_out(const ptx::Module& module, const ptx::Function& function);

} // namespace apod::emu
