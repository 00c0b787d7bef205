#include "report/explain_view.hpp"

#include "base/units.hpp"
#include "report/elsewhere.hpp"
#include "report/launch_text.hpp"
#include "report/line_table.hpp"
#include "report/names.hpp"
#include "report/rung_row.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

namespace apod::report {
namespace {

std::string dim_text(const Dim3& dim) { return fmt::format("{} x {} x {}", dim.x, dim.y, dim.z); }

std::string launch_head(const LaunchRecord& launch, bool timed, const TextStyle& style) {
    return paragraph("", "  ", fmt::format("kernel {}: grid {}, block {}", launch.kernel, dim_text(launch.grid), dim_text(launch.block)),
                     style) +
           launch_facts(launch, timed, style);
}

// With how far it may be off, where it was scaled up from a sample.
std::string value_text(const Quantity& quantity) {
    return count_text(quantity.value) + (quantity.noise ? fmt::format(" +- {}", format_percent(*quantity.noise)) : "");
}

std::string counter_table(const LaunchRecord& launch, const TextStyle& style) {
    TextTable table({{"counter"}, {"value", Align::right}, {"source"}, {"metric"}});
    for (const auto& [identifier, quantity] : in_reading_order(launch.metrics))
        table.add_row({metric_label(identifier), value_text(quantity), std::string(source_name(quantity.source)), identifier});
    return table.empty() ? std::string() : table.render(style);
}

std::string findings_text(const std::vector<Finding>& findings, const TextStyle& style) {
    if (findings.empty()) return "No findings.\n";
    std::string out = paragraph("", "",
                                "Findings, the largest estimated gain first (each of its own repair alone: two together may save less than "
                                "their sum, or more where each leaves the other in the way)",
                                style);
    for (const Finding& finding : findings) out += finding_text(finding, "  ", style);
    return out;
}

} // namespace

std::string explain_text(const ladder::ClimbResult& climb, const SourceText& source, const ExplainTextOptions& options) {
    const TextStyle& style = options.style;
    std::string out = paragraph("", "  ", climb.title.empty() ? climb.ladder : climb.ladder + ": " + climb.title, style);
    if (!climb.parameters.empty()) out += paragraph("", "  ", parameters_text(climb), style);
    out += paragraph("", "  ", device_line(climb.device, climb.gpu, climb.emulated), style);
    for (const RungRow& row : rung_rows(climb)) {
        const ladder::RungResult& rung = *row.rung;
        out += "\n" + tinted(fmt::format("rung {} [{}]", rung.name, status_text(row.status)), Tint::strong, style.colour) + "\n";
        if (!rung.what.empty()) out += paragraph("  ", "  ", rung.what, style);
        if (rung.mismatch) out += paragraph("  ", "    ", mismatch_text(*rung.mismatch), style);
        if (rung.error) out += to_text(*rung.error) + "\n";
        if (!rung.skipped_because.empty()) out += paragraph("  ", "  ", "skipped: " + rung.skipped_because, style);
        for (const LaunchRecord& launch : rung.launches) {
            out += launch_head(launch, row.time_ns.has_value(), style) + "\n" + line_table(launch, source, style, LinesShown::all) + "\n";
            if (options.verbose) out += counter_table(launch, style) + "\n";
        }
        if (!rung.launches.empty()) out += findings_text(rung.findings, style);
    }
    return out + elsewhere_text(climb, style);
}

} // namespace apod::report
