#include "report/estimate_view.hpp"

#include "base/units.hpp"
#include "ladder/estimate.hpp"
#include "report/delimited.hpp"
#include "report/text_parts.hpp"

#include <cmath>
#include <string_view>
#include <vector>

namespace apod::report {
namespace {

using ladder::EstimateOutcome;

std::string_view outcome_text(EstimateOutcome outcome) {
    switch (outcome) {
    case EstimateOutcome::came_true: return "came true";
    case EstimateOutcome::saved_more: return "saved more";
    case EstimateOutcome::saved_less: return "saved less";
    case EstimateOutcome::not_tried: return "not tried";
    case EstimateOutcome::nothing: return nothing;
    }
    return nothing;
}

Tint outcome_tint(EstimateOutcome outcome) {
    if (outcome == EstimateOutcome::came_true) return Tint::good;
    return outcome == EstimateOutcome::saved_more || outcome == EstimateOutcome::saved_less ? Tint::warning : Tint::dim;
}

std::string signed_time(double ns) { return ns < 0 ? "-" + format_time_ns(-ns) : format_time_ns(ns); }

// "launch 2 (void kernel<float>(...)): The grid is small" without the kernel, whose name can be longer than the table.
std::string short_title(const std::string& title) {
    const std::size_t from = title.find(" (");
    const std::size_t to = title.find("): ");
    if (!title.starts_with("launch ") || from == std::string::npos || to == std::string::npos) return title;
    return title.substr(0, from) + title.substr(to + 1);
}

// The cells of both tables, without the outcome.
std::vector<std::string> cells(const ladder::Estimate& estimate) {
    const bool said = estimate.outcome != EstimateOutcome::nothing;
    return {estimate.after,
            said ? short_title(estimate.title) : "nothing that can be repaired for a time",
            said ? format_time_ns(estimate.said_ns) : nothing,
            signed_time(estimate.saved_ns),
            said ? format_time_ns(estimate.forecast_ns) : nothing,
            format_time_ns(estimate.time_ns.value)};
}

constexpr const char* heading = "What explain said of the rung before, and what came of it:";
constexpr const char* meaning =
    "may save: predicted by explain; forecast: the time before less that. came true: saved is may save, a quarter more or "
    "less. not tried: the problem is still there.";

} // namespace

std::string estimates_text(const ladder::ClimbResult& climb, const TextStyle& style) {
    const std::vector<ladder::Estimate> all = ladder::estimates(climb);
    if (all.empty()) return {};
    TextTable table({{"rung"},
                     {"said of the rung before"},
                     {"may save", Align::right},
                     {"saved", Align::right},
                     {"forecast", Align::right},
                     {"time", Align::right},
                     {"estimate"}});
    for (const ladder::Estimate& estimate : all) {
        std::vector<Cell> row;
        for (std::string& text : cells(estimate)) row.emplace_back(std::move(text));
        row.emplace_back(std::string(outcome_text(estimate.outcome)), outcome_tint(estimate.outcome));
        table.add_row(std::move(row));
    }
    return paragraph("", "  ", heading, style) + "\n" + table.render(style) + "\n" + legend_text(meaning, style);
}

std::string estimates_markdown(const ladder::ClimbResult& climb) {
    std::vector<std::vector<std::string>> rows;
    for (const ladder::Estimate& estimate : ladder::estimates(climb)) {
        rows.push_back(cells(estimate));
        rows.back().emplace_back(outcome_text(estimate.outcome));
    }
    if (rows.empty()) return {};
    return std::string(heading) + "\n\n" +
           markdown_table({"rung", "said of the rung before", "may save", "saved", "forecast", "time", "estimate"},
                          {false, false, true, true, true, true, false}, rows);
}

Json estimates_json(const ladder::ClimbResult& climb) {
    Json list = Json::array();
    for (const ladder::Estimate& estimate : ladder::estimates(climb)) {
        Json json;
        json["before"] = estimate.before;
        json["after"] = estimate.after;
        json["outcome"] = ladder::outcome_word(estimate.outcome);
        if (estimate.outcome != EstimateOutcome::nothing) {
            json["rule"] = estimate.rule;
            json["title"] = estimate.title;
            json["said_ns"] = to_json(Quantity{estimate.said_ns, Source::predicted, {}});
            json["forecast_ns"] = number(estimate.forecast_ns);
        }
        json["saved_ns"] = number(estimate.saved_ns);
        json["time_ns"] = to_json(estimate.time_ns);
        list.push_back(std::move(json));
    }
    return list;
}

} // namespace apod::report
