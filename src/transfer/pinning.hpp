// What page-locked memory costs to have.
#pragma once

#include "transfer/result.hpp"
#include "transfer/session.hpp"

namespace apod::transfer {

Result<PinningPoint> measure_pinning(const Session& session, std::uint64_t bytes);

// Copies of that size after which pinned memory has paid for what it costs more than pageable memory, from what a copy takes with each.
[[nodiscard]] std::optional<double> copies_to_pay(const PinningPoint& point, std::optional<double> pageable_copy_ns,
                                                  std::optional<double> pinned_copy_ns);

} // namespace apod::transfer
