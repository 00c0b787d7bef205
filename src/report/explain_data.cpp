#include "report/explain_view.hpp"

#include "base/units.hpp"
#include "report/delimited.hpp"
#include "report/elsewhere.hpp"
#include "report/line_row.hpp"
#include "report/names.hpp"
#include "report/rung_row.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

namespace apod::report {
namespace {

// A launch with the rung it belongs to in front.
Json launch_of_rung(const RungRow& row, const LaunchRecord& launch, std::size_t index) {
    Json json;
    json["index"] = index;
    json["rung"] = row.rung->name;
    json["status"] = status_word(row.status);
    const Json record = to_json(launch);
    for (const auto& [key, value] : record.items())
        if (key != "index") json[key] = value;
    if (!row.time_ns) json["time_ns"] = nullptr;
    if (json["findings"].empty() && row.rung->launches.size() == 1) json["findings"] = to_json(row.rung->findings);
    return json;
}

std::string metric_rows(const std::vector<std::string>& head, const MetricMap& metrics) {
    std::string out;
    for (const auto& [name, quantity] : metrics) {
        std::vector<std::string> cells = head;
        cells.insert(cells.end(), {name, plain_number(quantity.value), std::string(source_name(quantity.source))});
        out += csv_row(cells);
    }
    return out;
}

std::string markdown_lines(const LaunchRecord& launch, const SourceText& source) {
    const auto count = [](const std::optional<Quantity>& quantity) {
        return quantity ? count_text(quantity->value) : std::string(nothing);
    };
    std::vector<std::vector<std::string>> rows;
    for (const LineRow& row : line_rows(launch))
        rows.push_back({fmt::format("{}:{}", short_path(row.line->file), row.line->line),
                        row.instruction_fraction ? format_percent(*row.instruction_fraction) : nothing, ratio_text(row.lanes_active),
                        ratio_text(row.load_sectors_per_request), ratio_text(row.store_sectors_per_request), count(row.bank_conflicts),
                        source(row.line->file, row.line->line).value_or("")});
    if (rows.empty()) return {};
    return markdown_table({"line", "instructions", "lanes", "ld sect/req", "st sect/req", "conflicts", "source"},
                          {false, true, true, true, true, true, false}, rows) +
           "\n";
}

std::string markdown_finding(const Finding& finding) {
    std::string out = "- **" + markdown_text(finding.title) + "**";
    if (finding.gain_ns) out += fmt::format(" (may save about {}, predicted)", format_time_ns(*finding.gain_ns, 3));
    if (!finding.evidence.empty()) out += ": " + markdown_text(finding.evidence);
    if (!finding.file.empty()) out += markdown_text(fmt::format(" at {}:{}", short_path(finding.file), finding.line));
    if (!finding.advice.empty()) out += ". Next: " + markdown_text(finding.advice);
    return out + "\n";
}

} // namespace

Json explain_document(const ladder::ClimbResult& climb) {
    Json json;
    json["schema"] = schema_version;
    json["ladder"] = climb.ladder;
    json["device"] = device_json(climb.device, climb.gpu, climb.emulated);
    json["parameters"] = Json::object();
    for (const auto& [name, value] : climb.parameters) json["parameters"][name] = number(value);
    for (const auto& [name, choice] : climb.choices) json["parameters"][name] = choice;
    json["launches"] = Json::array();
    for (const RungRow& row : rung_rows(climb))
        for (const LaunchRecord& launch : row.rung->launches)
            json["launches"].push_back(launch_of_rung(row, launch, json["launches"].size()));
    return json;
}

std::string explain_json(const ladder::ClimbResult& climb) { return dump(explain_document(climb)); }

std::string explain_csv(const ladder::ClimbResult& climb) {
    std::string out = csv_row({"ladder", "device", "rung", "launch", "kernel", "file", "line", "metric", "value", "source"});
    for (const ladder::RungResult& rung : climb.rungs) {
        for (const LaunchRecord& launch : rung.launches) {
            const std::vector<std::string> head = {climb.ladder, climb.device, rung.name, std::to_string(launch.index), launch.kernel};
            std::vector<std::string> whole = head;
            whole.insert(whole.end(), {"", ""});
            out += metric_rows(whole, launch.metrics);
            for (const LineRecord& line : launch.lines) {
                std::vector<std::string> place = head;
                place.insert(place.end(), {line.file, std::to_string(line.line)});
                out += metric_rows(place, line.metrics);
            }
        }
    }
    return out;
}

std::string explain_markdown(const ladder::ClimbResult& climb, const SourceText& source) {
    std::string out = "### " + markdown_text(climb.title.empty() ? climb.ladder : climb.ladder + ": " + climb.title) + "\n\n";
    out += markdown_text(device_line(climb.device, climb.gpu, climb.emulated)) + "\n";
    for (const RungRow& row : rung_rows(climb)) {
        out += fmt::format("\n#### {} ({})\n\n", markdown_text(row.rung->name), status_text(row.status));
        if (row.rung->mismatch) out += markdown_text(mismatch_text(*row.rung->mismatch)) + "\n\n";
        if (row.rung->error) out += markdown_text(to_text(*row.rung->error)) + "\n\n";
        for (const LaunchRecord& launch : row.rung->launches) {
            out += "Kernel " + markdown_text(launch.kernel);
            if (row.time_ns)
                out += fmt::format(", time {} {}, limited by {}", format_time_ns(launch.time_ns.value), source_name(launch.time_ns.source),
                                   markdown_text(launch.limiter));
            out += ".\n\n" + markdown_lines(launch, source);
        }
        for (const Finding& finding : row.rung->findings) out += markdown_finding(finding);
    }
    return out + elsewhere_markdown(climb);
}

} // namespace apod::report
