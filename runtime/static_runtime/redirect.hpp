// Redirects the CUDA runtime that an object of this process carries (linked with -cudart static, or NVIDIA's own libcudart) to ours.
#pragma once

#include "base/result.hpp"
#include "runtime/inspect/static_runtime.hpp"

#include <cstdint>
#include <string>

namespace apod::runtime::static_runtime {

struct Object {
    std::string file;       // on disk
    std::uint64_t base = 0; // what the loader added to its addresses
};

// The number of functions that were redirected; 0 where it carries none. An error means that nothing or not everything was redirected: the
// process must not go on. With `trap`, all else of NVIDIA's runtime is overwritten by instructions that stop whoever executes them.
Result<std::size_t> redirect(const Object& object, bool trap);

} // namespace apod::runtime::static_runtime
