// Any bytes make a module or an error, and every function of a module has control flow, or an error, and liveness.
#include "ptx/control_flow.hpp"
#include "ptx/module.hpp"

#include <cstdint>
#include <string>

namespace {

// Holds what the headers promise: indices are in range, effects and liveness can be taken.
void examine(const apod::ptx::Module& module) {
    for (const apod::ptx::Function& function : module.functions) {
        (void)apod::ptx::demangle(function.name);
        if (!function.has_body) continue;
        const auto flow = apod::ptx::control_flow(module, function);
        if (flow) (void)apod::ptx::liveness(function, *flow);
    }
    for (const apod::ptx::Variable& variable : module.variables) {
        if (variable.initial.size() > variable.size_bytes()) __builtin_trap();
        for (const apod::ptx::Relocation& relocation : variable.relocations) {
            if (relocation.offset + relocation.bytes > variable.initial.size()) __builtin_trap();
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto result = apod::ptx::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.ptx");
    if (result) {
        examine(**result);
    } else if (result.error().kind != apod::ErrorKind::bad_input || result.error().where.line == 0) {
        __builtin_trap();
    }
    return 0;
}
