#include "transfer_recording.hpp"

#include "base/file.hpp"

#include <nlohmann/json.hpp>

namespace apod::differential {
namespace {

using nlohmann::json;
using namespace transfer;

// The enumerator whose text it is; `last` is the highest.
template<class Enum> Enum from_text(const std::string& text, Enum last) {
    for (int i = 0; i < static_cast<int>(last); ++i)
        if (to_text(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
    return last;
}

std::optional<double> maybe(const json& value) { return value.is_null() ? std::nullopt : std::optional(value.get<double>()); }

bench::Summary summary(const json& value) {
    bench::Summary summary;
    summary.median = value["median"];
    summary.minimum = value["minimum"];
    summary.samples = value["samples"];
    return summary;
}

CopyCurve curve(const json& value) {
    CopyCurve curve;
    curve.kind = from_text(value["kind"], HostKind::none);
    curve.direction = from_text(value["direction"], Direction::between_devices);
    for (const json& point : value["points"]) {
        CopyPoint read;
        read.bytes = point["bytes"];
        if (!point["event_ns"].is_null()) read.event_ns = summary(point["event_ns"]);
        read.host_ns = summary(point["host_ns"]);
        curve.points.push_back(read);
    }
    return curve;
}

Breakdown breakdown(const json& value) {
    Breakdown breakdown;
    breakdown.bytes = value["bytes"];
    for (const json& stage : value["stages"]) breakdown.stages.push_back({stage["name"], maybe(stage["event_ns"]), stage["host_ns"]});
    breakdown.elapsed_ns = value["elapsed_ns"];
    breakdown.unobserved_ns = value["unobserved_ns"];
    return breakdown;
}

Crossing crossing(const json& value) { return {maybe(value["bytes"]), value["always"]}; }

Versus versus(const json& value) {
    Versus versus;
    versus.multiplications = value["multiplications"];
    for (const json& point : value["points"])
        versus.points.push_back({point["bytes"], maybe(point["one_core_ns"]), maybe(point["all_cores_ns"]), point["kernel_ns"],
                                 maybe(point["pageable_ns"]), maybe(point["pinned_ns"])});
    const json& crossings = value["crossings"];
    versus.kernel_over_one = crossing(crossings["kernel_over_one_core"]);
    versus.kernel_over_all = crossing(crossings["kernel_over_all_cores"]);
    versus.pageable_over_one = crossing(crossings["pageable_over_one_core"]);
    versus.pageable_over_all = crossing(crossings["pageable_over_all_cores"]);
    versus.pinned_over_one = crossing(crossings["pinned_over_one_core"]);
    versus.pinned_over_all = crossing(crossings["pinned_over_all_cores"]);
    return versus;
}

Pipeline pipeline(const json& value) {
    Pipeline pipeline;
    pipeline.bytes = value["bytes"];
    pipeline.in_ns = value["in_ns"];
    pipeline.kernel_ns = value["kernel_ns"];
    pipeline.out_ns = value["out_ns"];
    for (const json& point : value["points"]) pipeline.points.push_back({point["streams"], point["chunks"], point["time_ns"]});
    return pipeline;
}

} // namespace

Findings read_transfer(const std::string& path) {
    Findings findings;
    const Result<std::string> text = read_file(std::string(APOD_SOURCE_DIR) + "/tests/replay/" + path);
    if (!text) return findings;
    const json all = json::parse(*text)["transfer"];
    findings.device_id = all["device"]["id"];
    findings.facts.name = all["device"]["name"];
    findings.facts.driver_version = all["device"]["driver"];
    findings.facts.pcie_generation_max = all["device"]["pcie_generation"].get<std::uint32_t>();
    findings.facts.pcie_width_max = all["device"]["pcie_width"].get<std::uint32_t>();
    findings.facts.numa_node = all["device"]["numa_node"].get<int>();
    findings.host.cores = all["host"]["cores"];
    findings.host.nodes = all["host"]["numa_nodes"].get<std::vector<int>>();
    findings.host.memcpy_gbs = all["host"]["memcpy_gbs"];
    findings.host.memcpy_bytes = all["host"]["memcpy_bytes"];
    for (const json& one : all["copies"]) findings.curves.push_back(curve(one));
    if (!all["pipeline"].is_null()) findings.pipeline = pipeline(all["pipeline"]);
    for (const json& one : all["pinning"])
        findings.pinning.push_back({one["bytes"], one["pageable_ns"], one["allocate_ns"], one["free_ns"], one["pin_ns"], one["unpin_ns"],
                                    maybe(one["copies_to_pay"])});
    for (const json& one : all["stages"]) findings.breakdowns.push_back(breakdown(one));
    for (const json& one : all["versus"]) findings.versus.push_back(versus(one));
    findings.why = all["why"].get<std::vector<std::string>>();
    return findings;
}

} // namespace apod::differential
