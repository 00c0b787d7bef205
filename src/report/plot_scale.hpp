// A logarithmic axis: where a value lies on it, and which values get a tick.
#pragma once

#include "report/plot.hpp"

#include <string>
#include <vector>

namespace apod::report {

struct PlotScale {
    double low = 1;
    double high = 10;
    AxisUnit unit = AxisUnit::bytes;

    [[nodiscard]] double place(double value) const;  // 0 at low, 1 at high
    [[nodiscard]] std::vector<double> ticks() const; // powers of 10, or of 1024 for bytes where there are enough of them
    [[nodiscard]] std::string label(double value) const;
};

// Of everything that is drawn; ends on whole ticks for the y axis. `of_x`: the x axis.
[[nodiscard]] PlotScale scale_of(const Plot& plot, bool of_x);

} // namespace apod::report
