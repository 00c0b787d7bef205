#include "report/explain_view.hpp"

#include "base/units.hpp"
#include "report/elsewhere.hpp"
#include "report/line_table.hpp"
#include "report/names.hpp"
#include "report/rung_row.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

namespace apod::report {
namespace {

std::string dim_text(const Dim3& dim) { return fmt::format("{} x {} x {}", dim.x, dim.y, dim.z); }

std::string launch_time(const LaunchRecord& launch, const TextStyle& style) {
    const std::string error = launch.time_error ? fmt::format(" (likely within {})", format_percent(*launch.time_error, 0)) : "";
    std::string time = fmt::format("time {} {}{}, floor {} {}", format_time_ns(launch.time_ns.value), source_name(launch.time_ns.source),
                                   error, format_time_ns(launch.floor_ns.value), source_name(launch.floor_ns.source));
    if (!launch.limiter.empty()) time += ", limited by " + launch.limiter;
    std::string out = paragraph("  ", "    ", time, style);
    if (const std::string shares = shares_text(launch.shares); !shares.empty())
        out += paragraph("  ", "    ", "time that each resource alone would need, of the launch's: " + shares, style);
    return out;
}

// How far the sample may be off.
std::string sampling_text(const LaunchRecord& launch) {
    const auto found = launch.metrics.find("smsp__inst_executed.sum");
    if (found == launch.metrics.end() || !found->second.noise) return {};
    return fmt::format(" (warp instructions within {}, 95 % interval)", format_percent(*found->second.noise));
}

std::string launch_head(const LaunchRecord& launch, bool timed, const TextStyle& style) {
    std::string out = paragraph(
        "", "  ", fmt::format("kernel {}: grid {}, block {}", launch.kernel, dim_text(launch.grid), dim_text(launch.block)), style);
    const OccupancyRecord& occupancy = launch.occupancy;
    const std::uint64_t shared = launch.static_shared_bytes + launch.dynamic_shared_bytes;
    out += paragraph("  ", "    ",
                     fmt::format("{:.0f} registers a thread ({}), {} shared memory a block, {} of {} warps an SM (theoretical occupancy, "
                                 "limited by {})",
                                 launch.registers_per_thread.value, source_name(launch.registers_per_thread.source),
                                 format_bytes_binary(static_cast<double>(shared)), occupancy.warps_per_sm, occupancy.max_warps_per_sm,
                                 occupancy.limiter),
                     style);
    if (timed) out += launch_time(launch, style);
    if (launch.sample)
        out +=
            paragraph("  ", "    ",
                      fmt::format("{} of {} blocks were run; counters are scaled up from them{}", format_count(launch.sample->blocks_run),
                                  format_count(launch.sample->blocks_total), sampling_text(launch)),
                      style);
    return out;
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
    if (!climb.parameters.empty()) out += paragraph("", "  ", parameters_text(climb.parameters), style);
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
