// What is asked of a kernel: its attributes and its occupancy.
#include "arch/occupancy.hpp"
#include "model/registers.hpp"
#include "runtime/cudart/call.hpp"

#include <algorithm>

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

namespace arch = apod::arch;

constexpr int attribute_max_dynamic_shared = 8;
constexpr int attribute_carveout = 9;
constexpr int attribute_non_portable_cluster = 14;

// Runs `body(Runtime&, Kernel&, const Program&)`.
template<class Body> Error kernel_call(const void* function, const Body& body) {
    return call([&](Runtime& runtime) {
        Kernel* kernel = runtime.find_kernel(function);
        if (kernel == nullptr) return Error::invalid_device_function;
        std::shared_ptr<const apod::emu::Program> program;
        const Error error = runtime.program(*kernel, this_thread().device, program);
        return error != Error::success ? error : body(runtime, *kernel, *program);
    });
}

std::uint64_t constant_bytes(const apod::emu::Program& program) {
    std::uint64_t bytes = 0;
    for (const apod::ptx::Variable& variable : program.image->module().variables)
        if (variable.space == apod::ptx::Space::const_) bytes += variable.size_bytes();
    return bytes;
}

int version_of(const apod::ptx::Module& module) {
    int number = 0;
    for (const char c : module.target)
        if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
    return number;
}

FunctionAttributes attributes_of(Runtime& runtime, const Kernel& kernel, const apod::emu::Program& program) {
    const arch::Limits& limits = runtime.gpu().limits;
    const apod::ptx::Tuning& tuning = program.function->tuning;
    FunctionAttributes attributes = {};
    attributes.shared_bytes = program.static_shared_bytes;
    attributes.constant_bytes = constant_bytes(program);
    attributes.local_bytes = program.local_bytes;
    attributes.registers = static_cast<int>(apod::model::estimated_registers(program, runtime.gpu()));
    attributes.max_threads_per_block = static_cast<int>(limits.max_threads_per_block);
    if (tuning.max_threads[0] != 0) {
        std::uint32_t most = 1;
        for (const std::uint32_t extent : tuning.max_threads) most *= std::max(extent, 1u);
        attributes.max_threads_per_block = static_cast<int>(std::min(most, limits.max_threads_per_block));
    }
    attributes.ptx_version = version_of(program.image->module());
    attributes.binary_version = runtime.gpu().cc.number();
    const std::uint32_t room = limits.shared_per_block_bytes - std::min(limits.shared_per_block_bytes, program.static_shared_bytes);
    attributes.max_dynamic_shared_bytes = static_cast<int>(kernel.dynamic_shared_limit != 0 ? kernel.dynamic_shared_limit : room);
    attributes.preferred_carveout = kernel.carveout;
    attributes.non_portable_cluster_allowed = kernel.non_portable_cluster ? 1 : 0;
    return attributes;
}

arch::Occupancy occupancy_of(Runtime& runtime, const apod::emu::Program& program, int block, std::size_t dynamic_shared) {
    arch::KernelResources resources;
    resources.threads_per_block = static_cast<std::uint32_t>(block);
    resources.registers_per_thread = apod::model::estimated_registers(program, runtime.gpu());
    resources.static_shared_bytes = program.static_shared_bytes;
    resources.dynamic_shared_bytes = dynamic_shared;
    return arch::occupancy(runtime.gpu().limits, runtime.gpu().cc, resources);
}

Error set_attribute(Runtime& runtime, Kernel& kernel, const apod::emu::Program& program, int attribute, int value) {
    const arch::Limits& limits = runtime.gpu().limits;
    const std::uint32_t most = std::max(limits.shared_per_block_optin_bytes, limits.shared_per_block_bytes);
    switch (attribute) {
    case attribute_max_dynamic_shared:
        if (value < 0 || static_cast<std::uint32_t>(value) + program.static_shared_bytes > most) return Error::invalid_value;
        kernel.dynamic_shared_limit = static_cast<std::uint32_t>(value);
        return Error::success;
    case attribute_carveout:
        if (value < -1 || value > 100) return Error::invalid_value;
        kernel.carveout = value;
        return Error::success;
    case attribute_non_portable_cluster: kernel.non_portable_cluster = value != 0; return Error::success;
    default: return attribute > attribute_carveout && attribute <= 15 ? Error::success : Error::invalid_value;
    }
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
    if (attributes == nullptr) return remember(Error::invalid_value);
    return kernel_call(function, [&](Runtime& runtime, Kernel& kernel, const apod::emu::Program& program) {
        *attributes = attributes_of(runtime, kernel, program);
        return Error::success;
    });
}

Error cudaFuncSetAttribute(const void* function, int attribute, int value) {
    return kernel_call(function, [&](Runtime& runtime, Kernel& kernel, const apod::emu::Program& program) {
        return set_attribute(runtime, kernel, program, attribute, value);
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
        *blocks = static_cast<int>(occupancy_of(runtime, program, block, dynamic_shared).blocks_per_sm);
        return Error::success;
    });
}

Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block, std::size_t dynamic_shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block, dynamic_shared, 0);
}

Error cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks, int block) {
    if (bytes == nullptr || blocks <= 0 || block <= 0) return remember(Error::invalid_value);
    return kernel_call(function, [&](Runtime& runtime, Kernel&, const apod::emu::Program& program) {
        const arch::Limits& limits = runtime.gpu().limits;
        const std::uint64_t share = limits.shared_per_sm_bytes / static_cast<unsigned>(blocks);
        const std::uint64_t taken = limits.shared_reserved_per_block_bytes + std::uint64_t{program.static_shared_bytes};
        const std::uint64_t most = std::max(limits.shared_per_block_optin_bytes, limits.shared_per_block_bytes);
        const std::uint64_t left = share > taken ? share - taken : 0;
        *bytes = std::min(left, most - std::min<std::uint64_t>(most, program.static_shared_bytes));
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
