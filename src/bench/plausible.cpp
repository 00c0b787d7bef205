#include "bench/plausible.hpp"

#include "base/units.hpp"

#include <fmt/format.h>

#include <cmath>

namespace apod::bench {

Result<void> refuse_impossible(std::string_view what, double time_ns, double floor_ns) {
    if (!std::isfinite(time_ns) || time_ns <= 0)
        return check_failed(fmt::format("{}: a time of {} ns is not possible: nothing ran on the stream that is timed", what, time_ns),
                            "a launch of the work may have failed (ask cudaGetLastError() behind each, and throw), or be on another stream "
                            "than the one that is handed over");
    if (floor_ns > 0 && time_ns < floor_ns * (1 - floor_tolerance))
        return check_failed(fmt::format("{}: {} is below the floor of {}: what this work must move or compute takes longer", what,
                                        format_time_ns(time_ns), format_time_ns(floor_ns)),
                            "the kernel may skip work, run on another stream, or find its data in L2; check its result on fresh inputs, "
                            "or time it with cold caches");
    return {};
}

} // namespace apod::bench
