// What the emulator says of a ladder, beside what a GPU measured.
#pragma once

#include "ladder/climb.hpp"

namespace apod::ladder {

// Rung by rung: the predicted time; counters, limiter, shares and lines where the GPU has none; the findings, which rest on the counters.
// What was measured stays. Rungs that either did not run, or ran wrong, are left as they are.
void put_beside(ClimbResult& measured, const ClimbResult& predicted);

} // namespace apod::ladder
