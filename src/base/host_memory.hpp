// How much memory this machine can still give.
#pragma once

#include <cstdint>

namespace apod {

// Bytes that processes may still take without swapping (Linux: MemAvailable of /proc/meminfo); the largest number where it is not known.
[[nodiscard]] std::uint64_t available_host_memory();

} // namespace apod
