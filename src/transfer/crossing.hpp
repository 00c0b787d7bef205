// From which size on one way of doing the work beats another.
#pragma once

#include "transfer/result.hpp"

#include <functional>
#include <optional>
#include <span>

namespace apod::transfer {

// One point: a size and both times; a time that is not known ends the comparison there.
struct Race {
    double bytes = 0;
    std::optional<double> challenger_ns;
    std::optional<double> champion_ns;
};

// The size from which the challenger is faster at every larger size that both were measured at.
[[nodiscard]] Crossing crossing(std::span<const Race> races);

// Fills in all crossings of `versus` from its points.
void find_crossings(Versus& versus);

} // namespace apod::transfer
