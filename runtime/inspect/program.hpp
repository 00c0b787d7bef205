// What a program on disk is, as far as it decides whether and how it can run on the emulated GPU.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace apod::runtime {

enum class RuntimeLink : std::uint8_t {
    none,   // no CUDA runtime in sight
    shared, // -cudart shared
    linked, // -cudart static, nvcc's default
    hidden  // has device code, but neither asks for a runtime nor has symbols in which to find one: static and stripped
};

struct ProgramFacts {
    std::string path;
    bool dynamic_loader = false; // started by one, so that libraries can be put before others
    bool x86_64 = false;         //
    RuntimeLink runtime = RuntimeLink::none;
    std::string runtime_library;     // of RuntimeLink::shared: "libcudart.so.13"
    std::vector<std::string> closed; // NVIDIA's libraries that hold machine code of their own: "libcublas.so.13"
    bool device_code = false;        // has fatbins
    std::set<std::uint32_t> ptx;     // architectures that its fatbins hold PTX for: 90
    std::set<std::uint32_t> machine_code;
};

// nullopt where the file is no ELF program (a script); bad_input where it cannot be read or contradicts itself.
Result<std::optional<ProgramFacts>> inspect_program(const std::string& path);

// Why the program cannot run on a device of that compute capability (90), with what to do; nullopt where nothing speaks against it.
[[nodiscard]] std::optional<Diagnostic> why_it_cannot_run(const ProgramFacts& facts, std::uint32_t compute_capability);

// Whether a library (by its soname) is one of NVIDIA's whose kernels are machine code that cannot be emulated.
[[nodiscard]] bool is_closed_library(std::string_view soname);

} // namespace apod::runtime
