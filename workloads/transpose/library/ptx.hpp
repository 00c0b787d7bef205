// The kernels' PTX, which is part of the library (the build writes the other half of this: CMakeLists.txt).
#pragma once

namespace apod::transposing {

// Ends with a zero byte. Sizes are those that a described transpose may have.
[[nodiscard]] const char* ptx_of(int element_bytes);

} // namespace apod::transposing
