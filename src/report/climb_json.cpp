#include "report/climb_json.hpp"

#include "report/estimate_view.hpp"
#include "report/pipeline_view.hpp"
#include "report/rung_row.hpp"

namespace apod::report {
namespace {

Json optional_quantity(const std::optional<Quantity>& quantity) { return quantity ? to_json(*quantity) : Json(nullptr); }
Json optional_number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

Json mismatch_json(const ladder::Mismatch& mismatch) {
    return {{"buffer", mismatch.buffer},     {"index", mismatch.index},   {"coordinates", mismatch.coordinates},
            {"expected", mismatch.expected}, {"actual", mismatch.actual}, {"differing", mismatch.differing},
            {"compared", mismatch.compared}};
}

Json rung_json(const RungRow& row, std::optional<double> bound_ns) {
    const ladder::RungResult& rung = *row.rung;
    Json json;
    json["name"] = rung.name;
    json["what"] = rung.what;
    json["verified"] = row.status == RungStatus::ok;
    json["status"] = status_word(row.status);
    if (!rung.skipped_because.empty()) json["skipped_because"] = rung.skipped_because;
    if (rung.mismatch) json["mismatch"] = mismatch_json(*rung.mismatch);
    if (rung.error) json["error"] = to_json(*rung.error);
    json["time_ns"] = optional_quantity(row.time_ns);
    if (row.predicted_ns) json["predicted_ns"] = to_json(*row.predicted_ns);
    json["floor_ns"] = optional_quantity(row.floor_ns);
    json["speedup_over_first"] = optional_number(row.speedup_over_first);
    json["speedup_over_previous"] = optional_number(row.speedup_over_previous);
    json["effective_gbs"] = optional_number(row.effective_gbs);
    json["percent_of_floor"] = optional_number(row.percent_of_floor);
    if (rung.pipeline && row.time_ns) json["pipeline"] = pipeline_json(*rung.pipeline, bound_ns);
    json["limiter"] = rung.limiter;
    json["metrics"] = to_json(rung.metrics);
    json["launches"] = Json::array();
    for (const LaunchRecord& launch : rung.launches) {
        json["launches"].push_back(to_json(launch));
        if (!row.time_ns) json["launches"].back()["time_ns"] = nullptr;
    }
    json["findings"] = to_json(rung.findings);
    return json;
}

Json yardstick_json(const RungRow& row) {
    Json json;
    json["name"] = row.rung->name;
    json["what"] = row.rung->what;
    json["time_ns"] = optional_quantity(row.time_ns);
    json["effective_gbs"] = optional_number(row.effective_gbs);
    json["limiter"] = row.rung->limiter;
    json["metrics"] = to_json(row.rung->metrics);
    json["launches"] = Json::array();
    for (const LaunchRecord& launch : row.rung->launches) json["launches"].push_back(to_json(launch));
    return json;
}

} // namespace

Json climb_document(const ladder::ClimbResult& climb) {
    Json json;
    json["schema"] = schema_version;
    json["ladder"] = climb.ladder;
    json["title"] = climb.title;
    json["device"] = device_json(climb.device, climb.gpu, climb.emulated);
    json["parameters"] = Json::object();
    for (const auto& [name, value] : climb.parameters) json["parameters"][name] = number(value);
    for (const auto& [name, choice] : climb.choices) json["parameters"][name] = choice;
    json["problem"] = {{"useful_bytes", climb.useful_bytes}, {"operations", number(climb.operations)}};
    if (!climb.operation_type.empty()) json["problem"]["operation_type"] = climb.operation_type;
    json["rungs"] = Json::array();
    const std::vector<RungRow> rows = rung_rows(climb);
    const std::optional<double> bound_ns = copies_bound_ns(rows);
    for (const RungRow& row : rows) json["rungs"].push_back(rung_json(row, bound_ns));
    json["estimates"] = estimates_json(climb);
    if (const std::optional<RungRow> yardstick = yardstick_row(climb)) json["yardstick"] = yardstick_json(*yardstick);
    const RungRow* best = best_row(rows);
    json["best"] = best == nullptr ? Json(nullptr) : Json(best->rung->name);
    return json;
}

std::string climb_json(const ladder::ClimbResult& climb) { return dump(climb_document(climb)); }

} // namespace apod::report
