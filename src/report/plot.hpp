// Curves over two logarithmic axes, as text for terminals and as an SVG file. Points that are not above zero are left out.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace apod::report {

enum class AxisUnit : unsigned char { bytes, gbs, time }; // of 1 byte, 1e9 bytes a second, 1 ns

struct Series {
    std::string name;
    std::vector<std::pair<double, double>> points; // x ascending
};

struct Plot {
    std::string title;
    AxisUnit x = AxisUnit::bytes;
    AxisUnit y = AxisUnit::gbs;
    std::vector<Series> series;
};

// `columns` x `rows` characters for the curves, with axes and a legend around them. Each series has a letter; where several meet there is a
// '*'. Empty where there is nothing to draw.
[[nodiscard]] std::string text_plot(const Plot& plot, std::size_t columns = 72, std::size_t rows = 18);

// One SVG document, the plots below each other.
[[nodiscard]] std::string svg_plots(const std::vector<Plot>& plots);

} // namespace apod::report
