// Redirects the CUDA runtime that an object of this process carries (linked with -cudart static, or NVIDIA's own libcudart) to ours.
#pragma once

#include "base/result.hpp"
#include "runtime/inspect/static_runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace apod::runtime::static_runtime {

struct Object {
    std::string file;       // on disk
    std::uint64_t base = 0; // what the loader added to its addresses
};

struct Redirected {
    std::size_t functions = 0; // 0: it carries none
    bool hidden = false;       // it carries one, whose functions cannot be found: the object is stripped
};

// An error means that nothing or not everything was redirected: the
// process must not go on. With `trap`, all else of NVIDIA's runtime is overwritten by instructions that stop whoever executes them.
Result<Redirected> redirect(const Object& object, bool trap);

} // namespace apod::runtime::static_runtime
