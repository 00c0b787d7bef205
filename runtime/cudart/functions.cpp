// What is asked of a kernel: its attributes and its occupancy.
#include "runtime/core/kernel_facts.hpp"
#include "runtime/cudart/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

namespace arch = apod::arch;

// Runs `body(Runtime&, Kernel&, const Program&)`.
template<class Body> Error kernel_call(const void* function, const Body& body) {
    return call([&](Runtime& runtime) {
        Kernel* kernel = runtime.find_kernel(function);
        if (kernel == nullptr) return Error::invalid_resource_handle; // so does an H200, asked for attributes
        std::shared_ptr<const apod::emu::Program> program;
        const Error error = runtime.program(*kernel, this_thread().device, program);
        return error != Error::success ? error : body(runtime, *kernel, *program);
    });
}

FunctionAttributes attributes_of(const arch::Gpu& gpu, const Kernel& kernel, const apod::emu::Program& program) {
    const KernelFacts facts = kernel_facts(gpu, kernel, program);
    FunctionAttributes attributes = {};
    attributes.shared_bytes = facts.shared_bytes;
    attributes.constant_bytes = facts.constant_bytes;
    attributes.local_bytes = facts.local_bytes;
    attributes.registers = facts.registers;
    attributes.max_threads_per_block = facts.max_threads_per_block;
    attributes.ptx_version = facts.ptx_version;
    attributes.binary_version = facts.binary_version;
    attributes.max_dynamic_shared_bytes = facts.max_dynamic_shared_bytes;
    attributes.preferred_carveout = facts.preferred_carveout;
    attributes.non_portable_cluster_allowed = facts.non_portable_cluster_allowed ? 1 : 0;
    return attributes;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
    if (attributes == nullptr) return remember(Error::invalid_value);
    return kernel_call(function, [&](Runtime& runtime, Kernel& kernel, const apod::emu::Program& program) {
        *attributes = attributes_of(runtime.gpu(), kernel, program);
        return Error::success;
    });
}

Error cudaFuncSetAttribute(const void* function, int attribute, int value) {
    return kernel_call(function, [&](Runtime& runtime, Kernel& kernel, const apod::emu::Program& program) {
        return set_kernel_attribute(runtime.gpu(), kernel, program, attribute, value);
    });
}

Error cudaFuncSetCacheConfig(const void* function, int) {
    return call(
        [&](Runtime& runtime) { return runtime.find_kernel(function) != nullptr ? Error::success : Error::invalid_device_function; });
}

Error cudaFuncSetSharedMemConfig(const void* function, int) { return cudaFuncSetCacheConfig(function, 0); }

Error cudaFuncGetName(const char** name, const void* function) {
    return call([&](Runtime& runtime) {
        const Kernel* kernel = runtime.find_kernel(function);
        if (kernel == nullptr) return Error::invalid_device_function;
        *name = kernel->name.c_str();
        return Error::success;
    });
}

Error cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
    return kernel_call(function, [&](Runtime&, Kernel&, const apod::emu::Program& program) {
        if (index >= program.parameters.size()) return Error::invalid_value;
        *offset = program.parameters[index].offset;
        if (bytes != nullptr) *bytes = program.parameters[index].bytes;
        return Error::success;
    });
}

Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block, std::size_t dynamic_shared,
                                                             unsigned) {
    if (blocks == nullptr || block <= 0) return remember(Error::invalid_value);
    return kernel_call(function, [&](Runtime& runtime, Kernel&, const apod::emu::Program& program) {
        *blocks = static_cast<int>(kernel_occupancy(runtime.gpu(), program, static_cast<unsigned>(block), dynamic_shared).blocks_per_sm);
        return Error::success;
    });
}

Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block, std::size_t dynamic_shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block, dynamic_shared, 0);
}

Error cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks, int block) {
    if (bytes == nullptr || blocks <= 0 || block <= 0) return remember(Error::invalid_value);
    return kernel_call(function, [&](Runtime& runtime, Kernel&, const apod::emu::Program& program) {
        *bytes = available_dynamic_shared(runtime.gpu(), program, static_cast<unsigned>(blocks));
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
