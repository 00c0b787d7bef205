// The GPU against the host at the same work: one core, all cores; the kernel alone, and with its copies.
#pragma once

#include "transfer/result.hpp"
#include "transfer/session.hpp"

namespace apod::transfer {

// For each number of multiplications an element, at every size; crossings included. `copies` are the curves of pageable and pinned copies
// in and out by the host's clock, which the kernel's time is added to: copies do not depend on the work.
Result<std::vector<Versus>> measure_versus(const Session& session, const std::vector<CopyCurve>& copies, unsigned cores);

} // namespace apod::transfer
