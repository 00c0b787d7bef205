// What is asked of a kernel. CUfunction and CUkernel are the same handle here.
#include "runtime/core/kernel_facts.hpp"
#include "runtime/cuda/kernel_call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

using apod::emu::Program;

// By CUfunction_attribute.
std::optional<int> attribute_of(const KernelFacts& facts, int attribute) {
    const auto cluster = [&](int axis) { return static_cast<int>(facts.required_cluster[axis]); };
    switch (attribute) {
    case 0: return facts.max_threads_per_block;
    case 1: return static_cast<int>(facts.shared_bytes);
    case 2: return static_cast<int>(facts.constant_bytes);
    case 3: return static_cast<int>(facts.local_bytes);
    case 4: return facts.registers;
    case 5: return facts.ptx_version;
    case 6: return facts.binary_version;
    case 7: return 0; // the cache mode is not chosen
    case 8: return facts.max_dynamic_shared_bytes;
    case 9: return facts.preferred_carveout;
    case 10: return cluster(0) != 0 ? 1 : 0;
    case 11: return cluster(0);
    case 12: return cluster(1);
    case 13: return cluster(2);
    case 14: return facts.non_portable_cluster_allowed ? 1 : 0;
    case 15: return 0; // default scheduling
    default: return std::nullopt;
    }
}

Error known_kernel(const Kernel* kernel) {
    return global_call([&](Runtime& runtime) { return runtime.find_kernel(kernel) != nullptr ? Error::success : invalid_handle; });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuFuncGetAttribute(int* value, int attribute, Kernel* kernel) {
    if (value == nullptr) return refuse(Error::invalid_value);
    return kernel_call(kernel, [&](Runtime& runtime, Kernel& found, const Program& program) {
        const std::optional<int> known = attribute_of(kernel_facts(runtime.gpu(), found, program), attribute);
        if (!known) return Error::invalid_value;
        *value = *known;
        return Error::success;
    });
}

Error cuFuncSetAttribute(Kernel* kernel, int attribute, int value) {
    return kernel_call(kernel, [&](Runtime& runtime, Kernel& found, const Program& program) {
        return set_kernel_attribute(runtime.gpu(), found, program, attribute, value);
    });
}

// Attributes are the same on every device of one kind.
Error cuKernelGetAttribute(int* value, int attribute, Kernel* kernel, int) { return cuFuncGetAttribute(value, attribute, kernel); }
Error cuKernelSetAttribute(int attribute, int value, Kernel* kernel, int) { return cuFuncSetAttribute(kernel, attribute, value); }

Error cuFuncSetCacheConfig(Kernel* kernel, int config) {
    return config < 0 || config > 3 ? refuse(Error::invalid_value) : known_kernel(kernel);
}
Error cuKernelSetCacheConfig(Kernel* kernel, int config, int) { return cuFuncSetCacheConfig(kernel, config); }
Error cuFuncSetSharedMemConfig(Kernel* kernel, int config) {
    return config < 0 || config > 2 ? refuse(Error::invalid_value) : known_kernel(kernel);
}

Error cuFuncGetModule(Module** module, Kernel* kernel) {
    if (module == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        const Kernel* found = runtime.find_kernel(kernel);
        if (found == nullptr) return invalid_handle;
        *module = found->module;
        return Error::success;
    });
}
Error cuKernelGetLibrary(Module** library, Kernel* kernel) { return cuFuncGetModule(library, kernel); }

Error cuFuncGetName(const char** name, Kernel* kernel) {
    if (name == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        const Kernel* found = runtime.find_kernel(kernel);
        if (found == nullptr) return invalid_handle;
        *name = found->name.c_str();
        return Error::success;
    });
}
Error cuKernelGetName(const char** name, Kernel* kernel) { return cuFuncGetName(name, kernel); }

Error cuFuncGetParamInfo(Kernel* kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
    if (offset == nullptr) return refuse(Error::invalid_value);
    return kernel_call(kernel, [&](Runtime&, Kernel&, const Program& program) {
        if (index >= program.parameters.size()) return Error::invalid_value;
        *offset = program.parameters[index].offset;
        if (bytes != nullptr) *bytes = program.parameters[index].bytes;
        return Error::success;
    });
}
Error cuKernelGetParamInfo(Kernel* kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
    return cuFuncGetParamInfo(kernel, index, offset, bytes);
}

Error cuKernelGetFunction(Kernel** function, Kernel* kernel) {
    if (function == nullptr) return refuse(Error::invalid_value);
    *function = kernel;
    return known_kernel(kernel);
}

Error cuFuncLoad(Kernel* kernel) {
    return kernel_call(kernel, [](Runtime&, Kernel&, const Program&) { return Error::success; });
}

Error cuFuncIsLoaded(int* loaded, Kernel* kernel) {
    if (loaded == nullptr) return refuse(Error::invalid_value);
    *loaded = 1;
    return known_kernel(kernel);
}

} // extern "C"
#pragma GCC visibility pop
