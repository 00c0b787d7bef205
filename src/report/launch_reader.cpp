#include "report/launch_reader.hpp"

#include "base/json_problem.hpp"

#include <limits>

namespace apod::report {
namespace {

Source source_from(const std::string& name) {
    if (name == "measured") return Source::measured;
    if (name == "predicted") return Source::predicted;
    return name == "theoretical" ? Source::theoretical : Source::counted;
}

// null stands for what is not finite.
double number_from(const Json& json) { return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>(); }

Quantity quantity_from(const Json& json) {
    Quantity quantity;
    if (json.is_null()) return quantity;
    quantity.value = number_from(json.at("value"));
    quantity.source = source_from(json.at("source").get<std::string>());
    if (json.contains("noise")) quantity.noise = number_from(json.at("noise"));
    return quantity;
}

MetricMap metrics_from(const Json& json) {
    MetricMap metrics;
    for (const auto& [name, value] : json.items()) metrics.emplace(name, quantity_from(value));
    return metrics;
}

Dim3 dim_from(const Json& json) {
    return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(), json.at(2).get<std::uint32_t>()};
}

OccupancyRecord occupancy_from(const Json& json) {
    return {json.value("blocks_per_sm", 0u), json.value("warps_per_sm", 0u), json.value("max_warps_per_sm", 0u),
            json.value("limiter", std::string())};
}

LineRecord line_from(const Json& json) {
    return {json.value("file", std::string()), json.value("line", 0u), json.value("inlined_at", std::string()),
            metrics_from(json.at("metrics"))};
}

Finding finding_from(const Json& json) {
    Finding finding;
    finding.rule = json.value("rule", std::string());
    finding.title = json.value("title", std::string());
    finding.evidence = json.value("evidence", std::string());
    finding.file = json.value("file", std::string());
    finding.line = json.value("line", 0u);
    if (json.contains("gain_ns")) finding.gain_ns = number_from(json.at("gain_ns").at("value"));
    finding.advice = json.value("advice", std::string());
    return finding;
}

Ceiling ceiling_from(const Json& json) {
    return {json.at("name").get<std::string>(), json.at("kind").get<std::string>(),   number_from(json.at("value")),
            json.at("unit").get<std::string>(), json.at("source").get<std::string>(), json.at("confidence").get<std::string>()};
}

RooflinePoint point_from(const Json& json) {
    RooflinePoint point;
    point.work = json.at("work").get<std::string>();
    point.level = json.at("level").get<std::string>();
    point.amount = number_from(json.at("amount"));
    point.traffic = number_from(json.at("traffic"));
    point.intensity = number_from(json.at("intensity"));
    point.performance = number_from(json.at("performance"));
    point.roof = number_from(json.at("roof"));
    point.ceiling = json.at("ceiling").get<std::string>();
    point.fraction = number_from(json.at("fraction"));
    point.source = source_from(json.at("source").get<std::string>());
    return point;
}

Estimate estimate_from(const Json& json) {
    Estimate estimate;
    estimate.what = json.at("what").get<std::string>();
    estimate.why_not = json.value("why_not", std::string());
    if (!estimate.why_not.empty()) return estimate;
    estimate.time_ns = quantity_from(json.at("time_ns"));
    if (json.contains("error")) estimate.error = number_from(json.at("error"));
    estimate.limiter = json.value("limiter", std::string());
    estimate.occupancy = occupancy_from(json.at("occupancy"));
    for (const Json& ceiling : json.value("ceilings", Json::array())) estimate.ceilings.push_back(ceiling_from(ceiling));
    for (const Json& point : json.value("roofline", Json::array())) estimate.roofline.push_back(point_from(point));
    return estimate;
}

LaunchRecord read(const Json& json) {
    LaunchRecord launch;
    launch.index = json.value("index", 0u);
    launch.kernel = json.value("kernel", std::string());
    launch.mangled = json.value("mangled", std::string());
    launch.grid = dim_from(json.at("grid"));
    launch.block = dim_from(json.at("block"));
    launch.static_shared_bytes = json.value("static_shared_bytes", std::uint64_t{0});
    launch.dynamic_shared_bytes = json.value("dynamic_shared_bytes", std::uint64_t{0});
    if (json.contains("registers_per_thread")) launch.registers_per_thread = quantity_from(json.at("registers_per_thread"));
    if (json.contains("occupancy")) launch.occupancy = occupancy_from(json.at("occupancy"));
    launch.time_ns = quantity_from(json.at("time_ns"));
    if (json.contains("time_error")) launch.time_error = number_from(json.at("time_error"));
    launch.floor_ns = quantity_from(json.at("floor_ns"));
    launch.limiter = json.value("limiter", std::string());
    for (const Json& share : json.value("shares", Json::array()))
        launch.shares.push_back({share.at("name").get<std::string>(), number_from(share.at("time_ns")), number_from(share.at("fraction"))});
    if (json.contains("sample"))
        launch.sample =
            SampleNote{json.at("sample").at("blocks_run").get<std::uint64_t>(), json.at("sample").at("blocks_total").get<std::uint64_t>()};
    launch.metrics = metrics_from(json.at("metrics"));
    for (const Json& line : json.value("lines", Json::array())) launch.lines.push_back(line_from(line));
    for (const Json& finding : json.value("findings", Json::array())) launch.findings.push_back(finding_from(finding));
    for (const Json& point : json.value("roofline", Json::array())) launch.roofline.push_back(point_from(point));
    for (const Json& estimate : json.value("estimates", Json::array())) launch.estimates.push_back(estimate_from(estimate));
    return launch;
}

} // namespace

Result<LaunchRecord> launch_from_json(const Json& json) {
    try {
        return read(json);
    } catch (const Json::exception& error) {
        return bad_input({}, "the record of a launch cannot be read: " + json_problem(error.what()));
    }
}

std::optional<Diagnostic> diagnostic_from_json(const Json& json) {
    try {
        Diagnostic diagnostic;
        diagnostic.kind = ErrorKind::check_failed;
        diagnostic.message = json.at("message").get<std::string>();
        diagnostic.where = {json.value("file", std::string()), json.value("line", 0u), json.value("column", 0u)};
        diagnostic.hint = json.value("hint", std::string());
        diagnostic.notes = json.value("notes", std::vector<std::string>());
        return diagnostic;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

} // namespace apod::report
