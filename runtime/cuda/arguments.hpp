// A kernel's arguments, in the two ways in which a program may pass them.
#pragma once

#include "runtime/core/error.hpp"

#include <cstddef>
#include <vector>

namespace apod::emu {
struct Program;
}

namespace apod::runtime::cuda {

// `each` points to one argument each; or `extra` has marks and pointers, of one block and its size. Not both.
Error pack_arguments(const emu::Program& program, void** each, void** extra, std::vector<std::byte>& packed);

} // namespace apod::runtime::cuda
