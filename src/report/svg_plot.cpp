#include "report/plot.hpp"

#include "report/plot_scale.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace apod::report {
namespace {

constexpr double width = 860;
constexpr double height = 440;
constexpr double left = 80, right = 230, top = 40, bottom = 50; // margins; the legend is in the right one

// Distinguishable also by people who do not tell red from green (Okabe and Ito), repeated with dashes.
constexpr std::array<std::string_view, 7> colours = {"#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#555555"};

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

struct Frame {
    PlotScale x, y;
    double offset = 0; // of this plot from the document's top
    [[nodiscard]] double at_x(double value) const { return left + x.place(value) * (width - left - right); }
    [[nodiscard]] double at_y(double value) const { return offset + height - bottom - y.place(value) * (height - top - bottom); }
};

std::string axes(const Frame& frame) {
    std::string out;
    for (const double tick : frame.y.ticks())
        out += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"#ddd\"/>"
                           "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
                           left, frame.at_y(tick), width - right, left - 6, frame.at_y(tick) + 4, escaped(frame.y.label(tick)));
    for (const double tick : frame.x.ticks())
        out += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>"
                           "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
                           frame.at_x(tick), frame.offset + top, frame.offset + height - bottom, frame.offset + height - bottom + 18,
                           escaped(frame.x.label(tick)));
    return out;
}

std::string curve(const Frame& frame, const Series& series, std::size_t index) {
    const std::string_view colour = colours[index % colours.size()];
    const std::string dash = index < colours.size() ? "" : " stroke-dasharray=\"6 4\"";
    std::string points, dots;
    for (const auto& [x, y] : series.points) {
        if (!(x > 0) || !(y > 0)) continue;
        points += fmt::format("{:.1f},{:.1f} ", frame.at_x(x), frame.at_y(y));
        dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>", frame.at_x(x), frame.at_y(y), colour);
    }
    if (points.empty()) return {};
    const double legend_y = frame.offset + top + 18 * static_cast<double>(index);
    return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>{}\n"
                       "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"2.5\"{}/>"
                       "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                       points, colour, dash, dots, width - right + 12, legend_y, width - right + 36, legend_y, colour, dash,
                       width - right + 42, legend_y + 4, escaped(series.name));
}

} // namespace

std::string svg_plots(const std::vector<Plot>& plots) {
    std::string body;
    double offset = 0;
    for (const Plot& plot : plots) {
        const Frame frame = {scale_of(plot, true), scale_of(plot, false), offset};
        body += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n", left, offset + 22, escaped(plot.title));
        body += axes(frame);
        for (std::size_t i = 0; i < plot.series.size(); ++i) body += curve(frame, plot.series[i], i);
        offset += height;
    }
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                       "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{2}</svg>\n",
                       width, offset, body);
}

} // namespace apod::report
