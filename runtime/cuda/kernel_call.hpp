// How calls about a kernel enter.
#pragma once

#include "runtime/cuda/call.hpp"

#include <memory>

namespace apod::runtime::cuda {

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
