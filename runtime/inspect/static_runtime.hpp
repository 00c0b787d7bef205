// The CUDA runtime that `nvcc -cudart static` (the default) links into a program: found by the names of its functions.
#pragma once

#include "base/result.hpp"
#include "runtime/inspect/elf.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace apod::runtime {

struct RuntimeFunction {
    std::string_view name; // points into the table of known names or into the file
    std::uint64_t address = 0;
    std::uint64_t room = 0; // bytes that are its own, with the padding behind it
};

struct StaticRuntime {
    int version = 13;                         // whose structures the program was compiled with: 12 or 13
    std::vector<RuntimeFunction> functions;   // the API, one a name and address
    std::vector<RuntimeFunction> inner;       // NVIDIA's functions behind it; room is their own size
    std::vector<std::uint64_t> run_by_loader; // those of `inner` that the loader calls at the start and at the end
    [[nodiscard]] bool present() const { return !functions.empty(); }
};

// Nothing is present where the object has no runtime, or is stripped. Cheap for objects that do not mention CUDA.
Result<StaticRuntime> find_static_runtime(const Elf& elf);

// Whether the name is one of the CUDA runtime API's functions, as CUDA 12 and 13 have them.
[[nodiscard]] bool is_runtime_function(std::string_view name);

} // namespace apod::runtime
