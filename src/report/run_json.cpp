// A run as JSON and CSV.
#include "report/check_view.hpp"
#include "report/delimited.hpp"
#include "report/names.hpp"
#include "report/run_view.hpp"

#include <fmt/format.h>

#include <set>

namespace apod::report {
namespace {

Json copies_json(const RunRecord& record) {
    Json copies = Json::array();
    for (const auto& [direction, total] : record.copies)
        copies.push_back({{"direction", direction},
                          {"count", total.count},
                          {"bytes", total.bytes},
                          {"time_ns", to_json(Quantity{total.time_ns, Source::predicted, {}})}});
    return copies;
}

std::string dim_text(const Dim3& dim) { return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z); }

} // namespace

std::string run_json(const RunView& run) {
    Json json;
    json["schema"] = schema_version;
    json["program"] = run.record.program;
    json["device"] = device_json(run.device, run.gpu, true);
    json["copies"] = copies_json(run.record);
    json["failed_calls"] = Json::array();
    for (const CheckReport& call : run.record.failed_calls) json["failed_calls"].push_back(to_json(call));
    json["faults"] = Json::array();
    for (const Diagnostic& fault : run.record.faults) json["faults"].push_back(to_json(fault));
    json["launches"] = Json::array();
    for (const CountedLaunch& launch : run.record.launches) {
        json["launches"].push_back(to_json(launch.record));
        Json& last = json["launches"].back();
        last["count"] = launch.count;
        if (launch.uncounted != 0) last["uncounted"] = launch.uncounted;
        if (!launch.only_ran()) continue;
        last["time_ns"] = last["floor_ns"] = nullptr;
        for (const char* unknown : {"registers_per_thread", "occupancy", "shares"}) last.erase(unknown);
    }
    json["order"] = Json::array();
    json["findings"] = to_json(run.record.findings);
    for (const LaunchRow& row : run.record.order) json["order"].push_back({row.launch, row.times});
    return dump(json);
}

std::string run_csv(const RunView& run) {
    std::set<std::string> names;
    for (const CountedLaunch& launch : run.record.launches)
        for (const auto& [name, quantity] : launch.record.metrics) names.insert(name);
    std::vector<std::string> header = {"index", "count", "kernel", "grid", "block", "kernel_ns", "floor_ns", "limiter"};
    header.insert(header.end(), names.begin(), names.end());
    std::string out = csv_row(header);
    for (const CountedLaunch& launch : run.record.launches) {
        const LaunchRecord& record = launch.record;
        std::vector<std::string> cells = {std::to_string(record.index),
                                          std::to_string(launch.count),
                                          record.kernel,
                                          dim_text(record.grid),
                                          dim_text(record.block),
                                          launch.only_ran() ? std::string() : plain_number(kernel_ns(record)),
                                          launch.only_ran() ? std::string() : plain_number(record.floor_ns.value),
                                          record.limiter};
        for (const std::string& name : names) {
            const std::optional<Quantity> value = find_metric(record.metrics, name);
            cells.push_back(value ? plain_number(value->value) : std::string());
        }
        out += csv_row(cells);
    }
    return out;
}

} // namespace apod::report
