// Copies of every kind and direction, by size.
#pragma once

#include "transfer/result.hpp"
#include "transfer/session.hpp"

namespace apod::transfer {

// One curve; a size that fails (no memory left) ends it, and the curve says so.
[[nodiscard]] CopyCurve measure_copies(const Session& session, HostKind kind, Direction direction);

// From this device's memory to that of another.
[[nodiscard]] CopyCurve measure_between(const Session& session, device::Device& other);

} // namespace apod::transfer
