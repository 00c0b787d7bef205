// Samples that were taken while heat or power held the clock down.
#pragma once

#include "bench/sample.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace apod::bench {

struct ThrottleOptions {
    double lowest_clock = 0.9; // of the usual clock (the upper quartile of the samples'); below: throttled, whatever the driver says
    double most_dropped = 0.5; // when more than this share is throttled, throttling is the normal state: nothing is dropped
};

struct Kept {
    std::vector<Sample> samples; // in order; never empty where there was a sample
    std::size_t dropped = 0;
    std::string note; // what to tell the user; empty: nothing
};

[[nodiscard]] Kept drop_throttled(const std::vector<Sample>& samples, const ThrottleOptions& options = {});

} // namespace apod::bench
