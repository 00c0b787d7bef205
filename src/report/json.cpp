#include "report/json.hpp"

#include "model/roofline.hpp"
#include "report/names.hpp"

#include <cmath>
#include <cstdint>

namespace apod::report {
namespace {

Json to_json(const Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }

Json to_json(const OccupancyRecord& occupancy) {
    return {{"blocks_per_sm", occupancy.blocks_per_sm},
            {"warps_per_sm", occupancy.warps_per_sm},
            {"max_warps_per_sm", occupancy.max_warps_per_sm},
            {"limiter", occupancy.limiter}};
}

Json to_json(const LimiterShare& share) {
    return {{"name", share.name}, {"time_ns", number(share.time_ns)}, {"fraction", number(share.fraction)}};
}

Json to_json(const LineRecord& line) {
    Json json = {{"file", line.file}, {"line", line.line}};
    if (!line.inlined_at.empty()) json["inlined_at"] = line.inlined_at;
    json["metrics"] = report::to_json(line.metrics);
    return json;
}

Json to_json(const Ceiling& ceiling) {
    return {{"name", ceiling.name}, {"kind", ceiling.kind},     {"value", number(ceiling.value)},
            {"unit", ceiling.unit}, {"source", ceiling.source}, {"confidence", ceiling.confidence}};
}

Json to_json(const RooflinePoint& point) {
    return {{"work", point.work},
            {"level", point.level},
            {"amount", number(point.amount)},
            {"traffic", number(point.traffic)},
            {"intensity", number(point.intensity)},
            {"performance", number(point.performance)},
            {"roof", number(point.roof)},
            {"ceiling", point.ceiling},
            {"fraction", number(point.fraction)},
            {"source", source_name(point.source)}};
}

Json to_json(const Estimate& estimate); // has lists of its own

template<class T> Json list(const std::vector<T>& items) {
    Json json = Json::array();
    for (const T& item : items) json.push_back(to_json(item));
    return json;
}

Json to_json(const Estimate& estimate) {
    Json json = {{"what", estimate.what}};
    if (!estimate.why_not.empty()) {
        json["why_not"] = estimate.why_not;
        return json;
    }
    json["time_ns"] = report::to_json(estimate.time_ns);
    if (estimate.error) json["error"] = number(*estimate.error);
    json["limiter"] = estimate.limiter;
    json["occupancy"] = to_json(estimate.occupancy);
    if (!estimate.ceilings.empty()) json["ceilings"] = list(estimate.ceilings);
    if (!estimate.roofline.empty()) json["roofline"] = list(estimate.roofline);
    return json;
}

} // namespace

Json number(double value) {
    constexpr double exact_integers = 9007199254740992.0; // 2^53
    if (!std::isfinite(value)) return nullptr;
    if (value == std::trunc(value) && std::abs(value) <= exact_integers) return static_cast<std::int64_t>(value);
    return value;
}

Json to_json(const Quantity& quantity) {
    Json json = {{"value", number(quantity.value)}, {"source", source_name(quantity.source)}};
    if (quantity.noise) json["noise"] = number(*quantity.noise);
    return json;
}

Json to_json(const MetricMap& metrics) {
    Json json = Json::object();
    for (const auto& [name, quantity] : metrics) json[name] = to_json(quantity);
    return json;
}

Json to_json(const Finding& finding) {
    Json json = {{"rule", finding.rule}, {"title", finding.title}, {"evidence", finding.evidence}};
    if (!finding.file.empty()) {
        json["file"] = finding.file;
        json["line"] = finding.line;
    }
    if (finding.gain_ns) json["gain_ns"] = {{"value", number(*finding.gain_ns)}, {"source", source_name(Source::predicted)}};
    json["advice"] = finding.advice;
    return json;
}

Json to_json(const std::vector<Finding>& findings) {
    Json json = Json::array();
    for (const Finding& finding : findings) json.push_back(to_json(finding));
    return json;
}

Json to_json(const LaunchRecord& launch) {
    Json json;
    json["index"] = launch.index;
    json["kernel"] = launch.kernel;
    if (!launch.mangled.empty()) json["mangled"] = launch.mangled;
    json["grid"] = to_json(launch.grid);
    json["block"] = to_json(launch.block);
    json["static_shared_bytes"] = launch.static_shared_bytes;
    json["dynamic_shared_bytes"] = launch.dynamic_shared_bytes;
    json["registers_per_thread"] = to_json(launch.registers_per_thread);
    json["occupancy"] = to_json(launch.occupancy);
    json["time_ns"] = to_json(launch.time_ns);
    if (launch.time_error) json["time_error"] = number(*launch.time_error);
    json["floor_ns"] = to_json(launch.floor_ns);
    json["limiter"] = launch.limiter;
    json["shares"] = list(launch.shares);
    if (launch.sample) json["sample"] = {{"blocks_run", launch.sample->blocks_run}, {"blocks_total", launch.sample->blocks_total}};
    json["metrics"] = to_json(launch.metrics);
    json["lines"] = list(launch.lines);
    json["findings"] = to_json(launch.findings);
    if (!launch.roofline.empty()) json["roofline"] = list(launch.roofline);
    if (!launch.estimates.empty()) json["estimates"] = list(launch.estimates);
    return json;
}

Json to_json(const Diagnostic& diagnostic) {
    Json json = {{"message", diagnostic.message}};
    if (!diagnostic.where.file.empty()) {
        json["file"] = diagnostic.where.file;
        json["line"] = diagnostic.where.line;
        json["column"] = diagnostic.where.column;
    }
    if (!diagnostic.hint.empty()) json["hint"] = diagnostic.hint;
    if (!diagnostic.notes.empty()) json["notes"] = diagnostic.notes;
    return json;
}

Json device_json(const std::string& id, const arch::Gpu& gpu, bool emulated) {
    Json json;
    json["id"] = id;
    json["name"] = gpu.name;
    json["emulated"] = emulated;
    json["architecture"] = gpu.architecture;
    json["compute_capability"] = std::to_string(gpu.cc.major) + "." + std::to_string(gpu.cc.minor);
    json["sm_count"] = gpu.sm_count;
    json["boost_mhz"] = number(gpu.boost_mhz);
    json["memory"] = {{"type", gpu.memory.type}, {"bytes", gpu.memory.size_bytes}, {"peak_gbs", number(gpu.memory.peak_gbs)}};
    json["l2_bytes"] = gpu.caches.l2_bytes;
    json["fp32_gflops"] = number(gpu.fp32_gflops());
    json["fp64_gflops"] = number(gpu.fp64_gflops());
    json["ceilings"] = list(model::ceilings(gpu));
    return json;
}

std::string dump(const Json& document) { return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

} // namespace apod::report
