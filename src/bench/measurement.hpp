// A version that was timed, and two that were compared.
#pragma once

#include "bench/sample.hpp"
#include "bench/statistics.hpp"
#include "bench/stopping.hpp"
#include "bench/verdict.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace apod::bench {

struct Measurement {
    std::string name;
    double first_run_ns = 0;     // by the host's clock, in no other figure
    std::vector<Sample> samples; // kept, in the order they were taken
    std::size_t dropped = 0;     // throttled ones
    std::uint32_t runs = 1;      // in a sample
    Summary time_ns;             // of the kept samples
    double clock_mhz = 0;        // their median; 0: not known
    Stop stop;
    std::vector<std::string> notes;
};

struct Comparison {
    Measurement base;
    Measurement other;
    std::vector<Round> rounds;
    Judgement judgement;
};

} // namespace apod::bench
