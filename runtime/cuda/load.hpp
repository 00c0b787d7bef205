// From what a program hands over to a module that is ready on a device.
#pragma once

#include "runtime/cuda/call.hpp"
#include "runtime/cuda/jit.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace apod::runtime::cuda {

// What messages call an image that came as a pointer.
inline constexpr const char* loaded_name = "the loaded PTX";

// The PTX units behind a pointer. Errors are in the log.
Error units_of(Runtime& runtime, const void* image, const std::string& name, std::vector<PtxUnit>& units, JitLog& log);
Error units_of_file(Runtime& runtime, const char* path, std::vector<PtxUnit>& units, JitLog& log);

// Adds the module and prepares it on the current device; it is gone again where that fails.
Error load(Runtime& runtime, std::vector<PtxUnit> units, Module*& module, JitLog& log);

// A loaded module on the current device. Its errors were said when it was loaded.
Error image_of(Runtime& runtime, Module* module, std::shared_ptr<const emu::Image>& image);

// A kernel ready to run on the current device: `body(Runtime&, Kernel&, const emu::Program&) -> Error`.
template<class Body> Error kernel_call(const void* handle, const Body& body) noexcept {
    return call([&](Runtime& runtime, Context& context) {
        Kernel* kernel = runtime.find_kernel(handle);
        if (kernel == nullptr) return invalid_handle;
        std::shared_ptr<const emu::Program> program;
        const Error error = runtime.program(*kernel, context.device, program);
        return error != Error::success ? error : body(runtime, *kernel, *program);
    });
}

} // namespace apod::runtime::cuda
