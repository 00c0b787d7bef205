// Copy in, kernel, copy out: all at once, and in chunks over several streams so that they overlap.
#pragma once

#include "transfer/result.hpp"
#include "transfer/session.hpp"

namespace apod::transfer {

Result<Pipeline> measure_pipeline(const Session& session, std::uint64_t bytes);

} // namespace apod::transfer
