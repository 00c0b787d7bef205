#include "report/climb_markdown.hpp"

#include "base/units.hpp"
#include "explain/explain.hpp"
#include "report/delimited.hpp"
#include "report/estimate_view.hpp"
#include "report/names.hpp"
#include "report/pipeline_view.hpp"
#include "report/rung_row.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

namespace apod::report {
namespace {

std::string factor_text(const std::optional<double>& factor) { return factor ? format_factor(*factor) : nothing; }

std::string time_text(const std::optional<Quantity>& time) {
    return time ? fmt::format("{} {}", format_time_ns(time->value), source_name(time->source)) : nothing;
}

std::vector<std::string> cells(const RungRow& row) {
    const MetricMap& metrics = row.rung->metrics;
    const std::optional<Quantity> conflicts = bank_conflicts(metrics);
    return {row.rung->name,
            std::string(status_text(row.status)),
            time_text(row.time_ns),
            factor_text(row.speedup_over_first),
            factor_text(row.speedup_over_previous),
            row.effective_gbs ? digits_text(*row.effective_gbs) : nothing,
            row.percent_of_floor ? digits_text(*row.percent_of_floor) + " %" : nothing,
            ratio_text(load_sectors_per_request(metrics)),
            ratio_text(store_sectors_per_request(metrics)),
            conflicts ? count_text(conflicts->value) : nothing,
            ratio_text(lanes_active(metrics)),
            row.time_ns ? row.rung->limiter : nothing,
            row.rung->what};
}

std::string trouble(const RungRow& row) {
    const ladder::RungResult& rung = *row.rung;
    std::string text;
    if (row.status == RungStatus::wrong) text = rung.mismatch ? mismatch_text(*rung.mismatch) : "differs from the golden result";
    if (row.status == RungStatus::fault) text = to_text(*rung.error);
    if (row.status == RungStatus::skipped) text = rung.skipped_because;
    if (text.empty()) return {};
    return fmt::format("- **{}** {}: {}\n", status_text(row.status), markdown_text(rung.name), markdown_text(text));
}

std::string next_step(const std::vector<RungRow>& rows) {
    const RungRow* best = best_row(rows);
    if (best == nullptr) return "No rung gave a right result, so none has a time.\n";
    std::string out = fmt::format("Best rung: **{}**, {}", markdown_text(best->rung->name), time_text(best->time_ns));
    if (best->percent_of_floor) out += fmt::format(", {} of the floor", format_percent(*best->percent_of_floor / 100));
    out += ".\n";
    if (best->rung->findings.empty()) return out;
    const Finding& finding = best->rung->findings.front();
    out += fmt::format("\n{}: {}", explain::is_defect(finding) ? "Its worst remaining problem" : "No problem was found in it",
                       markdown_text(finding.title));
    if (finding.gain_ns) out += fmt::format(" (repairing it may save about {}, predicted)", format_time_ns(*finding.gain_ns, 3));
    out += ".\n";
    if (!finding.advice.empty()) out += "\nNext: " + markdown_text(finding.advice) + "\n";
    return out;
}

} // namespace

std::string climb_markdown(const ladder::ClimbResult& climb) {
    const std::vector<RungRow> rows = rung_rows(climb);
    std::string out = "### " + markdown_text(climb.title.empty() ? climb.ladder : climb.ladder + ": " + climb.title) + "\n\n";
    if (!climb.parameters.empty()) out += markdown_text(parameters_text(climb)) + "; ";
    out += markdown_text(device_line(climb.device, climb.gpu, climb.emulated));
    if (const std::string floor = floor_line(climb); !floor.empty()) out += "; " + markdown_text(floor);
    out += "\n\n";
    std::vector<std::vector<std::string>> table;
    table.reserve(rows.size());
    for (const RungRow& row : rows) table.push_back(cells(row));
    const std::vector<std::string> header = {"rung",        "status",   "time",        "over first",  "over previous",
                                             "useful GB/s", "of floor", "ld sect/req", "st sect/req", "conflicts",
                                             "lanes",       "limiter",  "what changed"};
    out += markdown_table(header, {false, false, true, true, true, true, true, true, true, true, true, false, false}, table) + "\n";
    std::string troubles;
    for (const RungRow& row : rows) troubles += trouble(row);
    if (!troubles.empty()) out += troubles + "\n";
    if (const std::string yardstick = yardstick_line(climb, rows); !yardstick.empty()) out += markdown_text(yardstick) + "\n\n";
    if (const std::string pipelines = pipelines_markdown(rows); !pipelines.empty()) out += pipelines + "\n";
    if (const std::string said = estimates_markdown(climb); !said.empty()) out += said + "\n";
    return out + next_step(rows);
}

} // namespace apod::report
