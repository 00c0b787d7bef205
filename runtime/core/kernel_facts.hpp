// What the APIs ask of a kernel that is ready to run: its attributes, its occupancy, the layout of its parameters.
#pragma once

#include "arch/occupancy.hpp"
#include "runtime/core/runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace apod::runtime {

struct KernelFacts {
    std::uint64_t shared_bytes = 0; // static
    std::uint64_t constant_bytes = 0;
    std::uint64_t local_bytes = 0;
    int max_threads_per_block = 0;
    int registers = 0;
    int ptx_version = 0; // 90: the PTX was made for compute capability 9.0
    int binary_version = 0;
    int max_dynamic_shared_bytes = 0;
    int preferred_carveout = -1;
    std::uint32_t required_cluster[3] = {0, 0, 0};
    bool non_portable_cluster_allowed = false;
};

[[nodiscard]] KernelFacts kernel_facts(const arch::Gpu& gpu, const Kernel& kernel, const emu::Program& program);

// By the numbers that both APIs share (cudaFuncAttribute, CUfunction_attribute): 8 dynamic shared memory, 9 carve-out, 14 clusters larger
// than portable ones. invalid_value for a value that the GPU does not allow, and for attributes that cannot be set.
Error set_kernel_attribute(const arch::Gpu& gpu, Kernel& kernel, const emu::Program& program, int attribute, int value);

[[nodiscard]] arch::Occupancy kernel_occupancy(const arch::Gpu& gpu, const emu::Program& program, std::uint32_t threads_per_block,
                                               std::uint64_t dynamic_shared_bytes);
// The dynamic shared memory that each of `blocks` blocks of an SM can have.
[[nodiscard]] std::uint64_t available_dynamic_shared(const arch::Gpu& gpu, const emu::Program& program, std::uint32_t blocks);

// The arguments, one pointer each, as one block laid out as the kernel expects it. invalid_value where one is missing.
Error pack_parameters(const emu::Program& program, void** arguments, std::vector<std::byte>& packed);

} // namespace apod::runtime
