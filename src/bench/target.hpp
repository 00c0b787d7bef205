// What can be timed: work on a GPU's stream, a whole program, or what a test makes up.
#pragma once

#include "base/result.hpp"
#include "bench/sample.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace apod::bench {

class Target {
public:
    virtual ~Target() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    // The first run of all, by the host's clock, until the work is done: loading and first calls are in it. Nanoseconds.
    virtual Result<double> first_run() = 0;
    // `runs` runs between two time stamps.
    virtual Result<Sample> sample(std::uint32_t runs) = 0;
    // How the samples were taken and what disturbed them, for people: "launches wait for their kernels, so nothing was held back".
    [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
    // The most runs that a sample may have: fewer once more of them did not fit into the stream.
    [[nodiscard]] virtual std::uint32_t most_runs() const { return UINT32_MAX; }
};

} // namespace apod::bench
