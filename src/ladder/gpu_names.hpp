// What a ladder's expressions may say of the GPU: gpu_sms, gpu_shared and the like. No parameters: nobody can set them.
#pragma once

#include "arch/gpu.hpp"
#include "ladder/expression.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace apod::ladder {

inline constexpr std::string_view gpu_prefix = "gpu_"; // no parameter's name begins so

// gpu_sms: multiprocessors; gpu_shared: bytes of shared memory that a block may have; gpu_cc: 90 for compute capability 9.0.
[[nodiscard]] const std::vector<std::string>& gpu_names();
void add_gpu_names(Environment& names, const arch::Gpu& gpu);

} // namespace apod::ladder
