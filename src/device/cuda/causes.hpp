// What the driver's error codes mean, in plain words.
#pragma once

#include "base/diagnostic.hpp"

namespace apod::device::cuda {

struct Cause {
    ErrorKind kind = ErrorKind::unavailable;
    const char* words = ""; // empty: the driver's own words will do
    const char* hint = "";
};

// `status` is a CUresult. A kernel's faults are check_failed, a launch or code that does not fit the device bad_input, the rest
// unavailable.
[[nodiscard]] Cause cause_of(int status);

} // namespace apod::device::cuda
