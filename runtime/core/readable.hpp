// What of the process's own memory is there: sizes that come from a program's headers are not trusted.
#pragma once

#include <cstddef>

namespace apod::runtime {

// How many of the `wanted` bytes from an address on lie in mapped pages without a gap.
[[nodiscard]] std::size_t readable_bytes(const void* from, std::size_t wanted);

} // namespace apod::runtime
