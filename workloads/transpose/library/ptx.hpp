// The kernels' PTX, which is part of the library (the build writes the other half of this: CMakeLists.txt).
#pragma once

#include <string>
#include <string_view>

namespace apod::transposing {

// Ends with a zero byte. Sizes are those that a described transpose may have.
[[nodiscard]] const char* ptx_of(int element_bytes);

// The same for GPUs before compute capability 7.5, which know no hints for whole lines (pieces.cuh): down to 5.2.
[[nodiscard]] std::string for_old_gpus(std::string_view ptx);

} // namespace apod::transposing
