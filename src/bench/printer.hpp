// Whoever shows or records timings as they come: a table, JSON, a progress line. The sampler knows no format.
#pragma once

#include "bench/measurement.hpp"

#include <string>

namespace apod::bench {

class Printer {
public:
    virtual ~Printer() = default;
    virtual void measurement(const Measurement& measurement) = 0;
    virtual void comparison(const Comparison& comparison) = 0;
    // All that was handed over, in this printer's format.
    [[nodiscard]] virtual std::string text() const = 0;
};

} // namespace apod::bench
