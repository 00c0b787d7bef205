#include "report/transfer_view.hpp"

#include "report/delimited.hpp"
#include "report/text_parts.hpp"
#include "report/transfer_tables.hpp"

#include <fmt/format.h>

namespace apod::report {
namespace {

std::string table_text(const TransferTable& shown, const TextStyle& style) {
    std::vector<TextColumn> columns;
    for (std::size_t i = 0; i < shown.header.size(); ++i)
        columns.push_back({shown.header[i], i == 0 || shown.header[i] == "copy" || shown.header[i] == "remark" ? Align::left : Align::right,
                           shown.units.empty() ? "" : shown.units[i]});
    TextTable table(std::move(columns));
    for (const std::vector<std::string>& row : shown.rows) {
        std::vector<Cell> cells;
        for (const std::string& text : row) cells.emplace_back(text);
        table.add_row(std::move(cells));
    }
    return paragraph("", "", shown.title, style) + table.render(style);
}

} // namespace

std::string transfer_text(const transfer::Findings& findings, const TextStyle& style, bool verbose) {
    std::string out = paragraph("", "", transfer_device_line(findings), style);
    for (const TransferTable& table : transfer_tables(findings, verbose)) out += "\n" + table_text(table, style);
    for (const Plot& plot : transfer_plots(findings))
        if (const std::string drawn = text_plot(plot); !drawn.empty()) out += "\n" + drawn;
    if (!findings.why.empty()) out += "\nWhy:\n";
    for (const std::string& sentence : findings.why) out += paragraph("- ", "  ", sentence, style);
    return out;
}

std::string transfer_markdown(const transfer::Findings& findings) {
    std::string out = markdown_text(transfer_device_line(findings)) + "\n";
    for (const TransferTable& table : transfer_tables(findings, true)) {
        std::vector<std::string> header = table.header;
        for (std::size_t i = 0; i < table.units.size(); ++i)
            if (!table.units[i].empty()) header[i] += (header[i].empty() ? "" : ", ") + table.units[i];
        std::vector<bool> right(header.size(), true);
        right.front() = false;
        out += "\n### " + markdown_text(table.title) + "\n\n" + markdown_table(header, right, table.rows);
    }
    if (!findings.why.empty()) out += "\n### Why\n\n";
    for (const std::string& sentence : findings.why) out += "- " + markdown_text(sentence) + "\n";
    return out;
}

std::vector<Plot> transfer_plots(const transfer::Findings& findings) {
    std::vector<Plot> plots;
    Plot rates = {"Copies: GB/s by size", AxisUnit::bytes, AxisUnit::gbs, {}};
    for (const transfer::CopyCurve& curve : findings.curves) {
        Series series = {fmt::format("{}, {}", to_text(curve.kind), to_text(curve.direction)), {}};
        for (const transfer::CopyPoint& point : curve.points) series.points.emplace_back(static_cast<double>(point.bytes), point.gbs());
        rates.series.push_back(std::move(series));
    }
    plots.push_back(std::move(rates));
    for (const transfer::Versus& versus : findings.versus) {
        Plot plot = {fmt::format("Host against GPU, {} multiplication{} an element: time by size of input", versus.multiplications,
                                 versus.multiplications == 1 ? "" : "s"),
                     AxisUnit::bytes,
                     AxisUnit::time,
                     {{"one core", {}}, {"all cores", {}}, {"kernel alone", {}}, {"with pinned copies", {}}, {"with pageable copies", {}}}};
        for (const transfer::VersusPoint& point : versus.points) {
            const std::optional<double> times[] = {point.one_core_ns, point.all_cores_ns, point.kernel_ns, point.pinned_ns,
                                                   point.pageable_ns};
            for (std::size_t i = 0; i < plot.series.size(); ++i)
                if (times[i]) plot.series[i].points.emplace_back(static_cast<double>(point.bytes), *times[i]);
        }
        plots.push_back(std::move(plot));
    }
    return plots;
}

} // namespace apod::report
