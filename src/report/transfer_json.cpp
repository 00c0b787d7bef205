#include "report/json.hpp"
#include "report/names.hpp"
#include "report/transfer_view.hpp"

namespace apod::report {
namespace {

using namespace transfer;

Json maybe(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }
template<class T> Json maybe_whole(const std::optional<T>& value) { return value ? Json(*value) : Json(nullptr); }

// A time with its noise and samples.
Json time_json(const bench::Summary& summary) {
    return {{"median", number(summary.median)},
            {"minimum", number(summary.minimum)},
            {"lower_quartile", number(summary.lower_quartile)},
            {"upper_quartile", number(summary.upper_quartile)},
            {"noise", number(summary.noise())},
            {"samples", summary.samples}};
}

Json curve_json(const CopyCurve& curve) {
    Json json = {{"kind", to_text(curve.kind)}, {"direction", to_text(curve.direction)}, {"points", Json::array()}};
    for (const CopyPoint& point : curve.points)
        json["points"].push_back({{"bytes", point.bytes},
                                  {"event_ns", point.event_ns ? time_json(*point.event_ns) : Json(nullptr)},
                                  {"host_ns", time_json(point.host_ns)},
                                  {"gbs", number(point.gbs())}});
    if (!curve.problem.empty()) json["problem"] = curve.problem;
    return json;
}

Json pipeline_json(const Pipeline& pipeline) {
    Json json = {{"bytes", pipeline.bytes},
                 {"in_ns", number(pipeline.in_ns)},
                 {"kernel_ns", number(pipeline.kernel_ns)},
                 {"out_ns", number(pipeline.out_ns)},
                 {"points", Json::array()}};
    for (const PipelinePoint& point : pipeline.points)
        json["points"].push_back({{"streams", point.streams}, {"chunks", point.chunks}, {"time_ns", number(point.time_ns)}});
    return json;
}

Json breakdown_json(const Breakdown& breakdown) {
    Json json = {{"bytes", breakdown.bytes}, {"stages", Json::array()}};
    for (const Stage& stage : breakdown.stages)
        json["stages"].push_back({{"name", stage.name}, {"event_ns", maybe(stage.event_ns)}, {"host_ns", number(stage.host_ns)}});
    json["other_ns"] = number(breakdown.other_ns());
    json["elapsed_ns"] = number(breakdown.elapsed_ns);
    json["unobserved_ns"] = number(breakdown.unobserved_ns);
    return json;
}

Json crossing_json(const Crossing& crossing) { return {{"bytes", maybe(crossing.bytes)}, {"always", crossing.always}}; }

Json versus_json(const Versus& versus) {
    Json json = {{"multiplications", versus.multiplications}, {"points", Json::array()}};
    for (const VersusPoint& point : versus.points)
        json["points"].push_back({{"bytes", point.bytes},
                                  {"one_core_ns", maybe(point.one_core_ns)},
                                  {"all_cores_ns", maybe(point.all_cores_ns)},
                                  {"kernel_ns", number(point.kernel_ns)},
                                  {"pinned_ns", maybe(point.pinned_ns)},
                                  {"pageable_ns", maybe(point.pageable_ns)}});
    json["crossings"] = {{"kernel_over_one_core", crossing_json(versus.kernel_over_one)},
                         {"kernel_over_all_cores", crossing_json(versus.kernel_over_all)},
                         {"pinned_over_one_core", crossing_json(versus.pinned_over_one)},
                         {"pinned_over_all_cores", crossing_json(versus.pinned_over_all)},
                         {"pageable_over_one_core", crossing_json(versus.pageable_over_one)},
                         {"pageable_over_all_cores", crossing_json(versus.pageable_over_all)}};
    return json;
}

} // namespace

std::string transfer_json(const Findings& findings) {
    Json transfer;
    const device::DeviceFacts& facts = findings.facts;
    transfer["device"] = {{"id", findings.device_id},
                          {"name", facts.name},
                          {"driver", facts.driver_version},
                          {"pcie_generation", maybe_whole(facts.pcie_generation_max)},
                          {"pcie_width", maybe_whole(facts.pcie_width_max)},
                          {"pcie_gbs", number(facts.pcie_gbs())},
                          {"numa_node", maybe_whole(facts.numa_node)}};
    transfer["source"] = source_name(findings.source);
    transfer["host"] = {{"cores", findings.host.cores},
                        {"numa_nodes", findings.host.nodes},
                        {"memcpy_gbs", number(findings.host.memcpy_gbs)},
                        {"memcpy_bytes", findings.host.memcpy_bytes}};
    const StartUp& start = findings.start_up;
    transfer["start_up"] = {{"open_ns", number(start.open_ns)},
                            {"load_ns", number(start.load_ns)},
                            {"first_call_ns", number(start.first_call_ns)},
                            {"next_call_ns", number(start.next_call_ns)}};
    transfer["copies"] = Json::array();
    for (const CopyCurve& curve : findings.curves) transfer["copies"].push_back(curve_json(curve));
    transfer["pipeline"] = findings.pipeline ? pipeline_json(*findings.pipeline) : Json(nullptr);
    transfer["pinning"] = Json::array();
    for (const PinningPoint& point : findings.pinning)
        transfer["pinning"].push_back({{"bytes", point.bytes},
                                       {"pageable_ns", number(point.plain_ns)},
                                       {"allocate_ns", number(point.allocate_ns)},
                                       {"free_ns", number(point.free_ns)},
                                       {"pin_ns", number(point.pin_ns)},
                                       {"unpin_ns", number(point.unpin_ns)},
                                       {"copies_to_pay", maybe(point.copies_to_pay)}});
    transfer["stages"] = Json::array();
    for (const Breakdown& breakdown : findings.breakdowns) transfer["stages"].push_back(breakdown_json(breakdown));
    transfer["versus"] = Json::array();
    for (const Versus& versus : findings.versus) transfer["versus"].push_back(versus_json(versus));
    transfer["why"] = findings.why;
    Json json;
    json["schema"] = schema_version;
    json["transfer"] = std::move(transfer);
    return dump(json);
}

} // namespace apod::report
