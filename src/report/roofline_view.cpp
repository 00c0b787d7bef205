#include "report/roofline_view.hpp"

#include "base/units.hpp"
#include "model/roofline.hpp"
#include "report/delimited.hpp"
#include "report/names.hpp"
#include "report/rung_row.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace apod::report {
namespace {

using Cells = std::vector<std::string>;

// Ceilings of one GPU, under the name that the points refer to.
struct Roofs {
    std::string on;
    std::vector<Ceiling> ceilings;
};

std::vector<Roofs> all_roofs(const ladder::ClimbResult& climb) {
    std::vector<Roofs> all = {{climb.device, model::ceilings(climb.gpu)}};
    for (const ladder::RungResult& rung : climb.rungs) {
        for (const LaunchRecord& launch : rung.launches)
            for (const Estimate& estimate : launch.estimates)
                if (!estimate.ceilings.empty()) all.push_back({estimate.what, estimate.ceilings});
        if (all.size() > 1) break; // every launch is asked the same
    }
    return all;
}

using Visit = std::function<void(const RungRow&, const LaunchRecord&, const std::string& on, const std::vector<RooflinePoint>&)>;

void each_launch(const ladder::ClimbResult& climb, const Visit& visit) {
    for (const RungRow& row : rung_rows(climb)) {
        if (!row.time_ns) continue; // a wrong rung has no time
        for (const LaunchRecord& launch : row.rung->launches) {
            visit(row, launch, climb.device, launch.roofline);
            for (const Estimate& estimate : launch.estimates) visit(row, launch, estimate.what, estimate.roofline);
        }
    }
}

std::string_view intensity_unit(const RooflinePoint& point) {
    return point.work == "instructions" || point.work == "global" || point.work == "shared" ? "inst/txn" : "op/B";
}

Cells point_cells(const RooflinePoint& point) {
    return {point.work,
            point.level,
            fmt::format("{} {}", digits_text(point.intensity), intensity_unit(point)),
            digits_text(point.performance),
            digits_text(point.roof),
            point.ceiling,
            format_percent(point.fraction),
            std::string(source_name(point.source))};
}

std::vector<Cells> ceiling_rows(const ladder::ClimbResult& climb) {
    std::vector<Cells> rows;
    for (const Roofs& roofs : all_roofs(climb))
        for (const Ceiling& ceiling : roofs.ceilings)
            rows.push_back({roofs.on, ceiling.name, ceiling.kind, digits_text(ceiling.value), ceiling.unit, ceiling.confidence});
    return rows;
}

constexpr const char* meaning = "intensity: operations for each byte that the level moved, warp instructions for each transaction of it (a "
                                "sector of 32 B, a wavefront of "
                                "shared memory); performance and roof: 1e9 operations or warp instructions a second; roof: the most that "
                                "is possible at this intensity, "
                                "set by the ceiling beside it. global, shared: the instructions that access this memory alone.";

constexpr const char* marks = "sure: M measured, V read in a public source, P part read, R recalled, ? unknown and substituted.";

} // namespace

std::string rooflines_text(const ladder::ClimbResult& climb, const TextStyle& style) {
    std::string out = paragraph("", "  ", climb.title.empty() ? climb.ladder : climb.ladder + ": " + climb.title, style);
    if (!climb.parameters.empty()) out += paragraph("", "  ", parameters_text(climb), style);
    out += paragraph("", "  ", device_line(climb.device, climb.gpu, climb.emulated), style);
    TextTable ceilings({{"on"}, {"ceiling"}, {"kind"}, {"value", Align::right}, {"unit"}, {"sure"}});
    for (Cells& row : ceiling_rows(climb)) ceilings.add_row({row.begin(), row.end()});
    out += "\n" + ceilings.render(style) + legend_text(marks, style);
    each_launch(climb, [&](const RungRow& row, const LaunchRecord& launch, const std::string& on, const auto& points) {
        if (points.empty()) return;
        out += "\n" + tinted(fmt::format("rung {}", row.rung->name), Tint::strong, style.colour) + ", " +
               paragraph("", "  ", fmt::format("kernel {} on {}", launch.kernel, on), style);
        TextTable table({{"work"},
                         {"level"},
                         {"intensity", Align::right},
                         {"performance", Align::right, "1e9/s"},
                         {"roof", Align::right, "1e9/s"},
                         {"ceiling"},
                         {"of roof", Align::right},
                         {"source"}});
        for (const RooflinePoint& point : points) {
            Cells cells = point_cells(point);
            table.add_row({cells.begin(), cells.end()});
        }
        out += table.render(style);
    });
    return out + "\n" + legend_text(meaning, style);
}

std::string rooflines_csv(const ladder::ClimbResult& climb) {
    std::string out = csv_row({"row", "ladder", "on", "rung", "launch", "kernel", "name", "level", "amount", "traffic", "intensity",
                               "value", "unit", "roof", "ceiling", "fraction", "source", "confidence"});
    for (const Roofs& roofs : all_roofs(climb))
        for (const Ceiling& ceiling : roofs.ceilings)
            out += csv_row({"ceiling", climb.ladder, roofs.on, "", "", "", ceiling.name, ceiling.kind, "", "", "",
                            plain_number(ceiling.value), ceiling.unit, "", "", "", ceiling.source, ceiling.confidence});
    each_launch(climb, [&](const RungRow& row, const LaunchRecord& launch, const std::string& on, const auto& points) {
        for (const RooflinePoint& point : points)
            out += csv_row({"point", climb.ladder, on, row.rung->name, std::to_string(launch.index), launch.kernel, point.work, point.level,
                            plain_number(point.amount), plain_number(point.traffic), plain_number(point.intensity),
                            plain_number(point.performance), "1e9/s", plain_number(point.roof), point.ceiling, plain_number(point.fraction),
                            std::string(source_name(point.source)), ""});
    });
    return out;
}

std::string rooflines_markdown(const ladder::ClimbResult& climb) {
    std::string out =
        "### Rooflines of " + markdown_text(climb.ladder) + "\n\n" +
        markdown_table({"on", "ceiling", "kind", "value", "unit", "sure"}, {false, false, false, true, false, false}, ceiling_rows(climb));
    each_launch(climb, [&](const RungRow& row, const LaunchRecord& launch, const std::string& on, const auto& points) {
        if (points.empty()) return;
        std::vector<Cells> rows;
        for (const RooflinePoint& point : points) rows.push_back(point_cells(point));
        out += "\n#### " + markdown_text(row.rung->name) + ", kernel " + markdown_text(launch.kernel) + " on " + markdown_text(on) +
               "\n\n" +
               markdown_table({"work", "level", "intensity", "performance (1e9/s)", "roof (1e9/s)", "ceiling", "of roof", "source"},
                              {false, false, true, true, true, false, true, false}, rows);
    });
    return out;
}

} // namespace apod::report
