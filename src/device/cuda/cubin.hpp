// What a cubin holds, asked of the driver: machine code has no text to read.
#pragma once

#include "device/cuda/context.hpp"
#include "device/device.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace apod::device::cuda {

[[nodiscard]] bool is_cubin(std::string_view code); // an ELF file

// The kernels of a loaded module with their parameters' offsets and sizes. Types follow from the C++ signature ("float" is f32), else from
// the size (b32). Needs a driver for CUDA 12.4 or newer.
Result<std::vector<KernelInfo>> cubin_kernels(const Gpu& gpu, Module module);

// By mangled name, demangled name, or demangled name up to its parameters. Not found or ambiguous: bad_input that lists what there is.
Result<std::size_t> find_in_cubin(const std::vector<KernelInfo>& kernels, std::string_view name, const std::string& file);

} // namespace apod::device::cuda
