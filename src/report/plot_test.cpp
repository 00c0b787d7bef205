#include "report/plot.hpp"

#include "report/plot_scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace apod::report {
namespace {

Plot sample() {
    return {"Rate by size",
            AxisUnit::bytes,
            AxisUnit::gbs,
            {{"pinned", {{1024, 1}, {32768, 10}, {1048576, 50}}}, {"<pageable>", {{1024, 1}, {1048576, 9}}}, {"nothing", {}}}};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

} // namespace

TEST(Plot, AScaleIsLogarithmicAndHasTicksInItsUnit) {
    const PlotScale y = scale_of(sample(), false);
    EXPECT_DOUBLE_EQ(y.low, 1);
    EXPECT_DOUBLE_EQ(y.high, 100);
    EXPECT_NEAR(y.place(10), 0.5, 1e-12);
    EXPECT_EQ(y.ticks().size(), 3U);
    const PlotScale x = scale_of(sample(), true);
    EXPECT_EQ(x.label(1024), "1 KiB");
    EXPECT_EQ(x.ticks(), (std::vector<double>{1024, 32768, 1048576}));
}

TEST(Plot, TextHasALetterForEachSeriesAtItsPlaces) {
    const std::vector<std::string> lines = lines_of(text_plot(sample(), 41, 11));
    ASSERT_GE(lines.size(), 15U);
    EXPECT_EQ(lines[0], "Rate by size");
    EXPECT_NE(lines[1].find("100 +"), std::string::npos) << lines[1];
    EXPECT_EQ(lines[11].substr(lines[11].find('+') + 1, 1), "*"); // both start there
    EXPECT_NE(lines[6].find('a'), std::string::npos);             // 10 GB/s is half way up
    EXPECT_TRUE(
        std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return line.find("a  pinned") != std::string::npos; }));
    EXPECT_FALSE(
        std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return line.find("nothing") != std::string::npos; }));
}

TEST(Plot, NothingToDrawIsNoPlot) {
    EXPECT_EQ(text_plot({"empty", AxisUnit::bytes, AxisUnit::gbs, {}}), "");
    EXPECT_EQ(text_plot({"empty", AxisUnit::bytes, AxisUnit::gbs, {{"a", {}}}}), "");
    const Plot zeros = {"zeros", AxisUnit::bytes, AxisUnit::gbs, {{"a", {{0, 0}, {-1, 5}}}}};
    const std::string text = text_plot(zeros);
    EXPECT_EQ(std::count(text.begin(), text.end(), 'a'), 2) << text; // the legend's letter and name
    EXPECT_NE(svg_plots({zeros}).find("</svg>"), std::string::npos);
}

TEST(Plot, OnePointIsDrawn) {
    const std::string text = text_plot({"one", AxisUnit::bytes, AxisUnit::time, {{"a", {{4096, 1500}}}}}, 20, 5);
    EXPECT_NE(text.find("10 us"), std::string::npos) << text;
}

TEST(Plot, SvgEscapesNamesAndHasALineForEachSeries) {
    const std::string svg = svg_plots({sample(), sample()});
    EXPECT_EQ(svg.rfind("<svg ", 0), 0U);
    EXPECT_NE(svg.find("&lt;pageable&gt;"), std::string::npos);
    EXPECT_EQ(svg.find("<pageable>"), std::string::npos);
    std::size_t polylines = 0;
    for (std::size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) ++polylines;
    EXPECT_EQ(polylines, 4U);
}

} // namespace apod::report
