#include "runtime/core/kernel_facts.hpp"

#include "model/machine/machine_code.hpp"
#include "model/registers.hpp"

#include <algorithm>
#include <cstring>

namespace apod::runtime {
namespace {

constexpr int attribute_max_dynamic_shared = 8;
constexpr int attribute_carveout = 9;
constexpr int attribute_non_portable_cluster = 14;
constexpr int last_attribute = 15;

std::uint64_t constant_bytes(const emu::Program& program) {
    std::uint64_t bytes = 0;
    for (const ptx::Variable& variable : program.image->module().variables)
        if (variable.space == ptx::Space::const_) bytes += variable.size_bytes();
    return bytes;
}

int version_of(const ptx::Module& module) {
    int number = 0;
    for (const char c : module.target)
        if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
    return number;
}

std::uint32_t most_dynamic_shared(const arch::Limits& limits) {
    return std::max(limits.shared_per_block_optin_bytes, limits.shared_per_block_bytes);
}

} // namespace

KernelFacts kernel_facts(const arch::Gpu& gpu, const Kernel& kernel, const emu::Program& program) {
    const arch::Limits& limits = gpu.limits;
    const ptx::Tuning& tuning = program.function->tuning;
    KernelFacts facts;
    facts.shared_bytes = program.static_shared_bytes;
    facts.constant_bytes = constant_bytes(program);
    const auto machine = model::machine_code_of(program, gpu);
    facts.local_bytes = machine ? machine->kernel.stack_bytes : program.local_bytes;
    // Of the machine code itself, as CUDA says it; at a launch a thread gets 16 or more.
    facts.registers = static_cast<int>(machine ? machine->kernel.registers : model::estimated_registers(program, gpu));
    facts.max_threads_per_block = static_cast<int>(limits.max_threads_per_block);
    if (tuning.max_threads[0] != 0) {
        std::uint32_t most = 1;
        for (const std::uint32_t extent : tuning.max_threads) most *= std::max(extent, 1u);
        facts.max_threads_per_block = static_cast<int>(std::min(most, limits.max_threads_per_block));
    }
    facts.ptx_version = version_of(program.image->module());
    facts.binary_version = gpu.cc.number();
    const std::uint32_t room = limits.shared_per_block_bytes - std::min(limits.shared_per_block_bytes, program.static_shared_bytes);
    facts.max_dynamic_shared_bytes = static_cast<int>(kernel.dynamic_shared_limit != 0 ? kernel.dynamic_shared_limit : room);
    facts.preferred_carveout = kernel.carveout;
    std::copy(std::begin(tuning.required_cluster), std::end(tuning.required_cluster), std::begin(facts.required_cluster));
    facts.non_portable_cluster_allowed = kernel.non_portable_cluster;
    return facts;
}

Error set_kernel_attribute(const arch::Gpu& gpu, Kernel& kernel, const emu::Program& program, int attribute, int value) {
    switch (attribute) {
    case attribute_max_dynamic_shared:
        if (value < 0 || static_cast<std::uint32_t>(value) + program.static_shared_bytes > most_dynamic_shared(gpu.limits))
            return Error::invalid_value;
        kernel.dynamic_shared_limit = static_cast<std::uint32_t>(value);
        return Error::success;
    case attribute_carveout:
        if (value < -1 || value > 100) return Error::invalid_value;
        kernel.carveout = value;
        return Error::success;
    case attribute_non_portable_cluster: kernel.non_portable_cluster = value != 0; return Error::success;
    default: return attribute > attribute_carveout && attribute <= last_attribute ? Error::success : Error::invalid_value;
    }
}

arch::Occupancy kernel_occupancy(const arch::Gpu& gpu, const emu::Program& program, std::uint32_t threads_per_block,
                                 std::uint64_t dynamic_shared_bytes) {
    arch::KernelResources resources;
    resources.threads_per_block = threads_per_block;
    resources.registers_per_thread = model::registers_of(program, gpu, model::machine_code_of(program, gpu).get());
    resources.static_shared_bytes = program.static_shared_bytes;
    resources.dynamic_shared_bytes = dynamic_shared_bytes;
    return arch::occupancy(gpu.limits, gpu.cc, resources);
}

std::uint64_t available_dynamic_shared(const arch::Gpu& gpu, const emu::Program& program, std::uint32_t blocks) {
    const arch::Limits& limits = gpu.limits;
    const std::uint64_t share = limits.shared_per_sm_bytes / std::max(blocks, 1u);
    const std::uint64_t taken = limits.shared_reserved_per_block_bytes + std::uint64_t{program.static_shared_bytes};
    const std::uint64_t left = share > taken ? share - taken : 0;
    const std::uint64_t most = most_dynamic_shared(limits);
    return std::min(left, most - std::min<std::uint64_t>(most, program.static_shared_bytes));
}

Error pack_parameters(const emu::Program& program, void** arguments, std::vector<std::byte>& packed) {
    packed.assign(program.parameter_bytes, std::byte{0});
    for (std::size_t i = 0; i < program.parameters.size(); ++i) {
        if (arguments == nullptr || arguments[i] == nullptr) return Error::invalid_value;
        const emu::Parameter& parameter = program.parameters[i];
        std::memcpy(packed.data() + parameter.offset, arguments[i], parameter.bytes);
    }
    return Error::success;
}

} // namespace apod::runtime
