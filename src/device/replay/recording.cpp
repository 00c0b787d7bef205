#include "device/replay/recording.hpp"

#include "base/json_document.hpp"
#include "base/json_problem.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace apod::device {

namespace {

using Json = nlohmann::json;

Quantity measured_quantity(const Json& json) {
    Quantity quantity{json.at("value").get<double>(), Source::measured, {}};
    if (json.contains("noise") && json.at("noise").is_number()) quantity.noise = json.at("noise").get<double>();
    return quantity;
}

bool is_measured(const Json& json) {
    return json.is_object() && json.value("source", std::string()) == "measured" && json.at("value").is_number();
}

Dim3 dimensions(const Json& json) {
    return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(), json.at(2).get<std::uint32_t>()};
}

// A launch that has no measured time (its rung was wrong) is left out: replaying it says so.
void add_launches(const Json& launches, std::vector<RecordedLaunch>& to) {
    for (const Json& json : launches) {
        if (!json.contains("time_ns") || !is_measured(json.at("time_ns"))) continue;
        RecordedLaunch launch;
        launch.mangled = json.value("mangled", json.at("kernel").get<std::string>());
        launch.grid = dimensions(json.at("grid"));
        launch.block = dimensions(json.at("block"));
        launch.dynamic_shared_bytes = json.value("dynamic_shared_bytes", std::uint64_t{0});
        if (json.contains("registers_per_thread") && is_measured(json.at("registers_per_thread")))
            launch.registers_per_thread = measured_quantity(json.at("registers_per_thread"));
        launch.time_ns = measured_quantity(json.at("time_ns"));
        if (json.contains("metrics"))
            for (const auto& [name, value] : json.at("metrics").items())
                if (is_measured(value)) launch.metrics[name] = measured_quantity(value);
        to.push_back(std::move(launch));
    }
}

std::optional<Quantity> measured_part(const Json& json, const char* name) {
    if (!json.contains(name) || !is_measured(json.at(name))) return std::nullopt;
    return measured_quantity(json.at(name));
}

void add_pipeline(const Json& rung, std::vector<PipelineRecord>& to) {
    if (!rung.contains("pipeline") || !rung.contains("time_ns") || !is_measured(rung.at("time_ns"))) return;
    const Json& json = rung.at("pipeline");
    const std::string host = json.at("host").get<std::string>();
    PipelineRecord record;
    record.shape.host = host == "mapped" ? HostKind::mapped : host == "pinned" ? HostKind::pinned : HostKind::pageable;
    record.shape.chunks = json.at("chunks").get<std::uint32_t>();
    record.shape.streams = json.at("streams").get<std::uint32_t>();
    record.shape.by_stage = json.value("by_stage", false);
    record.shape.bytes_in = json.at("bytes_in").get<std::uint64_t>();
    record.shape.bytes_out = json.at("bytes_out").get<std::uint64_t>();
    record.time_ns = measured_quantity(rung.at("time_ns"));
    record.copy_in_ns = measured_part(json, "copy_in_ns");
    record.kernel_ns = measured_part(json, "kernel_ns");
    record.copy_out_ns = measured_part(json, "copy_out_ns");
    record.both_ways_ns = measured_part(json, "both_ways_ns");
    to.push_back(record);
}

} // namespace

Result<Recording> read_recording(std::string_view text, const std::string& file) {
    const std::string hint = "record on a GPU: apod climb LADDER --device cuda:0 --json " + file;
    try {
        const Result<Json> document = parse_document<Json>(text, file, hint);
        if (!document) return document.error();
        const Json& json = *document;
        Recording recording;
        recording.device_id = json.at("device").at("id").get<std::string>();
        recording.device_name = json.at("device").at("name").get<std::string>();
        if (json.contains("rungs"))
            for (const Json& rung : json.at("rungs")) {
                add_launches(rung.at("launches"), recording.launches);
                add_pipeline(rung, recording.pipelines);
            }
        if (json.contains("yardstick")) add_launches(json.at("yardstick").at("launches"), recording.launches);
        if (json.contains("launches")) add_launches(json.at("launches"), recording.launches);
        if (recording.launches.empty()) return bad_input({file, 0, 0}, "there is no measured launch in it", hint);
        return recording;
    } catch (const Json::exception& error) {
        return bad_input({file, 0, 0}, fmt::format("this is no recorded run: {}", json_problem(error.what())), hint);
    }
}

} // namespace apod::device
