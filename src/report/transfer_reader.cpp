#include "report/transfer_reader.hpp"

#include "base/json_document.hpp"
#include "base/json_problem.hpp"
#include "report/json.hpp"
#include "report/names.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

namespace apod::report {
namespace {

using namespace transfer;

template<class T> std::optional<T> maybe(const Json& json) { return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>()); }

// The value among `all` whose text this is.
template<class T, std::size_t n> T named(const Json& json, const std::array<T, n>& all) {
    const std::string name = json.get<std::string>();
    for (const T value : all)
        if (to_text(value) == name) return value;
    throw std::invalid_argument(fmt::format("'{}' is not known", name));
}

HostKind kind_from(const Json& json) {
    return named(json, std::array{HostKind::pageable, HostKind::pinned, HostKind::write_combined, HostKind::mapped, HostKind::managed,
                                  HostKind::none});
}

Direction direction_from(const Json& json) {
    return named(json, std::array{Direction::to_device, Direction::to_host, Direction::within_device, Direction::both_ways,
                                  Direction::between_devices});
}

bench::Summary time_from(const Json& json) {
    bench::Summary summary;
    summary.median = json.at("median").get<double>();
    summary.minimum = json.at("minimum").get<double>();
    summary.lower_quartile = json.at("lower_quartile").get<double>();
    summary.upper_quartile = json.at("upper_quartile").get<double>();
    summary.samples = json.at("samples").get<std::size_t>();
    const double half = json.at("noise").get<double>() * summary.median; // noise is half the interval over the median
    if (!(summary.median > 0) || !std::isfinite(half)) throw std::invalid_argument("a time that is not above zero");
    summary.median_interval = {summary.median - half, summary.median + half, 0.95};
    return summary;
}

CopyCurve curve_from(const Json& json) {
    CopyCurve curve;
    curve.kind = kind_from(json.at("kind"));
    curve.direction = direction_from(json.at("direction"));
    for (const Json& entry : json.at("points")) {
        CopyPoint point;
        point.bytes = entry.at("bytes").get<std::uint64_t>();
        if (!entry.at("event_ns").is_null()) point.event_ns = time_from(entry.at("event_ns"));
        point.host_ns = time_from(entry.at("host_ns"));
        curve.points.push_back(point);
    }
    if (json.contains("problem")) curve.problem = json.at("problem").get<std::string>();
    return curve;
}

Pipeline pipeline_from(const Json& json) {
    Pipeline pipeline;
    pipeline.bytes = json.at("bytes").get<std::uint64_t>();
    pipeline.in_ns = json.at("in_ns").get<double>();
    pipeline.kernel_ns = json.at("kernel_ns").get<double>();
    pipeline.out_ns = json.at("out_ns").get<double>();
    for (const Json& point : json.at("points"))
        pipeline.points.push_back(
            {point.at("streams").get<std::uint32_t>(), point.at("chunks").get<std::uint32_t>(), point.at("time_ns").get<double>()});
    return pipeline;
}

PinningPoint pinning_from(const Json& json) {
    PinningPoint point;
    point.bytes = json.at("bytes").get<std::uint64_t>();
    point.plain_ns = json.at("pageable_ns").get<double>();
    point.allocate_ns = json.at("allocate_ns").get<double>();
    point.free_ns = json.at("free_ns").get<double>();
    point.pin_ns = json.at("pin_ns").get<double>();
    point.unpin_ns = json.at("unpin_ns").get<double>();
    point.copies_to_pay = maybe<double>(json.at("copies_to_pay"));
    return point;
}

Breakdown breakdown_from(const Json& json) {
    Breakdown breakdown;
    breakdown.bytes = json.at("bytes").get<std::uint64_t>();
    for (const Json& stage : json.at("stages"))
        breakdown.stages.push_back(
            {stage.at("name").get<std::string>(), maybe<double>(stage.at("event_ns")), stage.at("host_ns").get<double>()});
    breakdown.elapsed_ns = json.at("elapsed_ns").get<double>();
    breakdown.unobserved_ns = json.at("unobserved_ns").get<double>();
    return breakdown;
}

Crossing crossing_from(const Json& json) { return {maybe<double>(json.at("bytes")), json.at("always").get<bool>()}; }

Versus versus_from(const Json& json) {
    Versus versus;
    versus.multiplications = json.at("multiplications").get<std::uint32_t>();
    for (const Json& entry : json.at("points")) {
        VersusPoint point;
        point.bytes = entry.at("bytes").get<std::uint64_t>();
        point.one_core_ns = maybe<double>(entry.at("one_core_ns"));
        point.all_cores_ns = maybe<double>(entry.at("all_cores_ns"));
        point.kernel_ns = entry.at("kernel_ns").get<double>();
        point.pinned_ns = maybe<double>(entry.at("pinned_ns"));
        point.pageable_ns = maybe<double>(entry.at("pageable_ns"));
        versus.points.push_back(point);
    }
    const Json& crossings = json.at("crossings");
    versus.kernel_over_one = crossing_from(crossings.at("kernel_over_one_core"));
    versus.kernel_over_all = crossing_from(crossings.at("kernel_over_all_cores"));
    versus.pinned_over_one = crossing_from(crossings.at("pinned_over_one_core"));
    versus.pinned_over_all = crossing_from(crossings.at("pinned_over_all_cores"));
    versus.pageable_over_one = crossing_from(crossings.at("pageable_over_one_core"));
    versus.pageable_over_all = crossing_from(crossings.at("pageable_over_all_cores"));
    return versus;
}

void take_machine(const Json& json, Findings& findings) {
    const Json& device = json.at("device");
    findings.device_id = device.at("id").get<std::string>();
    findings.facts.id = findings.device_id;
    findings.facts.name = device.at("name").get<std::string>();
    findings.facts.driver_version = device.at("driver").get<std::string>();
    findings.facts.pcie_generation_max = maybe<std::uint32_t>(device.at("pcie_generation"));
    findings.facts.pcie_width_max = maybe<std::uint32_t>(device.at("pcie_width"));
    findings.facts.numa_node = maybe<int>(device.at("numa_node"));
    findings.source = json.at("source").get<std::string>() == source_name(Source::measured) ? Source::measured : Source::predicted;
    const Json& host = json.at("host");
    findings.host.cores = host.at("cores").get<unsigned>();
    findings.host.nodes = host.at("numa_nodes").get<std::vector<int>>();
    findings.host.memcpy_gbs = host.at("memcpy_gbs").get<double>();
    findings.host.memcpy_bytes = host.at("memcpy_bytes").get<std::uint64_t>();
    const Json& start = json.at("start_up");
    findings.start_up = {start.at("open_ns").get<double>(), start.at("load_ns").get<double>(), start.at("first_call_ns").get<double>(),
                         start.at("next_call_ns").get<double>()};
}

Findings findings_from(const Json& json) {
    Findings findings;
    take_machine(json, findings);
    for (const Json& curve : json.at("copies")) findings.curves.push_back(curve_from(curve));
    if (!json.at("pipeline").is_null()) findings.pipeline = pipeline_from(json.at("pipeline"));
    for (const Json& point : json.at("pinning")) findings.pinning.push_back(pinning_from(point));
    for (const Json& breakdown : json.at("stages")) findings.breakdowns.push_back(breakdown_from(breakdown));
    for (const Json& versus : json.at("versus")) findings.versus.push_back(versus_from(versus));
    for (const Json& line : json.at("why")) findings.why.push_back(line.get<std::string>());
    return findings;
}

} // namespace

Result<Findings> transfer_from_json(std::string_view text, const std::string& file) {
    const std::string hint = fmt::format("record it on a GPU: apod transfer --json {}", file);
    try {
        const Result<Json> document = parse_document<Json>(text, file, hint);
        if (!document) return document.error();
        return findings_from(document->at("transfer"));
    } catch (const Json::exception& e) {
        return bad_input({file, 0, 0}, fmt::format("no recording of apod transfer: {}", json_problem(e.what())), hint);
    } catch (const std::invalid_argument& e) {
        return bad_input({file, 0, 0}, fmt::format("no recording of apod transfer: {}", json_problem(e.what())), hint);
    }
}

} // namespace apod::report
