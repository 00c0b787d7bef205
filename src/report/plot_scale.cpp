#include "report/plot_scale.hpp"

#include "base/units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace apod::report {

double PlotScale::place(double value) const { return std::log(value / low) / std::log(high / low); }

std::vector<double> PlotScale::ticks() const {
    std::vector<double> ticks;
    const double step = unit == AxisUnit::bytes ? 32 : 10;
    double tick = unit == AxisUnit::bytes ? 1 : std::pow(10, std::floor(std::log10(low)));
    for (; tick <= high * 1.0001; tick *= step)
        if (tick >= low * 0.9999) ticks.push_back(tick);
    return ticks;
}

std::string PlotScale::label(double value) const {
    switch (unit) {
    case AxisUnit::bytes: return format_bytes_binary(value, 4); // whole ones have no fraction
    case AxisUnit::gbs: return format_significant(value, 1);
    case AxisUnit::time: return format_time_ns(value, 1);
    }
    return {};
}

PlotScale scale_of(const Plot& plot, bool of_x) {
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const Series& series : plot.series) {
        for (const auto& [x, y] : series.points) {
            if (!(x > 0) || !(y > 0)) continue;
            low = std::min(low, of_x ? x : y);
            high = std::max(high, of_x ? x : y);
        }
    }
    PlotScale scale;
    scale.unit = of_x ? plot.x : plot.y;
    if (!(high > 0)) return scale;
    if (!of_x) {
        low = std::pow(10, std::floor(std::log10(low)));
        high = std::pow(10, std::ceil(std::log10(high)));
    }
    scale.low = low;
    scale.high = high > low ? high : 10 * low;
    return scale;
}

} // namespace apod::report
