#include "report/plot.hpp"

#include "base/utf8.hpp"
#include "report/plot_scale.hpp"

#include <algorithm>
#include <cmath>

namespace apod::report {
namespace {

char letter(std::size_t series) { return static_cast<char>('a' + series % 26); }

std::size_t cell(double place, std::size_t cells) {
    return static_cast<std::size_t>(std::clamp(std::lround(place * static_cast<double>(cells - 1)), 0L, static_cast<long>(cells - 1)));
}

class Canvas {
public:
    Canvas(std::size_t columns, std::size_t rows) : columns_(columns), lines_(rows, std::string(columns, ' ')) {}

    void put(std::size_t column, std::size_t row, char mark) {
        char& here = lines_[lines_.size() - 1 - row][column];
        here = here == ' ' || here == mark ? mark : '*';
    }
    [[nodiscard]] const std::string& line(std::size_t from_top) const { return lines_[from_top]; }
    [[nodiscard]] std::size_t rows() const { return lines_.size(); }
    [[nodiscard]] std::size_t columns() const { return columns_; }

private:
    std::size_t columns_;
    std::vector<std::string> lines_;
};

void draw(Canvas& canvas, const Series& series, char mark, const PlotScale& x, const PlotScale& y) {
    std::pair<double, double> last;
    bool first = true;
    for (const auto& [at_x, at_y] : series.points) {
        if (!(at_x > 0) || !(at_y > 0)) continue;
        const std::pair<double, double> here = {x.place(at_x), y.place(at_y)};
        const std::size_t end = cell(here.first, canvas.columns());
        const std::size_t begin = first ? end : cell(last.first, canvas.columns());
        for (std::size_t column = begin; column <= end; ++column) {
            if (!first && column == begin) continue; // drawn by the line before
            const double part = end == begin ? 1 : static_cast<double>(column - begin) / static_cast<double>(end - begin);
            canvas.put(column, cell(first ? here.second : last.second + part * (here.second - last.second), canvas.rows()), mark);
        }
        last = here;
        first = false;
    }
}

// Label of each row of the canvas, from the top; most are empty.
std::vector<std::string> row_labels(const PlotScale& scale, std::size_t rows) {
    std::vector<std::string> labels(rows);
    for (const double tick : scale.ticks()) labels[rows - 1 - cell(scale.place(tick), rows)] = scale.label(tick);
    return labels;
}

std::string column_labels(const PlotScale& scale, std::size_t columns) {
    std::string line(columns + 10, ' ');
    std::size_t free_from = 0;
    for (const double tick : scale.ticks()) {
        const std::string label = scale.label(tick);
        const std::size_t at = cell(scale.place(tick), columns);
        if (at < free_from || at + label.size() > line.size()) continue;
        line.replace(at, label.size(), label);
        free_from = at + label.size() + 1;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

} // namespace

std::string text_plot(const Plot& plot, std::size_t columns, std::size_t rows) {
    if (std::all_of(plot.series.begin(), plot.series.end(), [](const Series& series) { return series.points.empty(); })) return {};
    const PlotScale x = scale_of(plot, true);
    const PlotScale y = scale_of(plot, false);
    Canvas canvas(std::max<std::size_t>(columns, 10), std::max<std::size_t>(rows, 4));
    for (std::size_t i = 0; i < plot.series.size(); ++i) draw(canvas, plot.series[i], letter(i), x, y);
    const std::vector<std::string> labels = row_labels(y, canvas.rows());
    std::size_t width = 0;
    for (const std::string& label : labels) width = std::max(width, display_width(label));
    std::string out = plot.title + "\n";
    for (std::size_t row = 0; row < canvas.rows(); ++row) {
        std::string line = std::string(width - display_width(labels[row]), ' ') + labels[row] + (labels[row].empty() ? " |" : " +");
        line += canvas.line(row);
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    out += std::string(width, ' ') + " +" + std::string(canvas.columns(), '-') + "\n";
    out += std::string(width + 2, ' ') + column_labels(x, canvas.columns()) + "\n";
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        if (!plot.series[i].points.empty()) out += std::string(width + 2, ' ') + letter(i) + "  " + plot.series[i].name + "\n";
    return out;
}

} // namespace apod::report
