#include "report/gpu_view.hpp"
#include "report/names.hpp"

namespace apod::report {
namespace {

template<class T> void put(Json& json, const char* key, const std::optional<T>& value) {
    if (value) json[key] = *value;
}

Json driver_json(const device::DeviceFacts& f) {
    Json json = {{"version", f.driver_version}, {"cuda_version", f.cuda_version}, {"emulated", f.emulated}};
    Json counters = {{"why", f.counters.why}};
    put(counters, "allowed", f.counters.allowed);
    if (!f.counters.how.empty()) counters["how"] = f.counters.how;
    json["counters"] = std::move(counters);
    return json;
}

Json hardware_json(const device::DeviceFacts& f) {
    Json json = {{"uuid", f.uuid},
                 {"bus_id", f.bus_id},
                 {"known_as", f.known_as},
                 {"memory_mhz", number(f.memory_mhz)},
                 {"memory_bus_bits", f.bus_bits},
                 {"persisting_l2_bytes", f.persisting_l2_bytes},
                 {"shared_per_block_bytes", f.shared_per_block_bytes},
                 {"shared_per_block_optin_bytes", f.shared_per_block_optin_bytes},
                 {"shared_per_sm_bytes", f.shared_per_sm_bytes},
                 {"registers_per_block", f.registers_per_block},
                 {"registers_per_sm", f.registers_per_sm},
                 {"max_threads_per_block", f.max_threads_per_block},
                 {"max_threads_per_sm", f.max_threads_per_sm},
                 {"max_blocks_per_sm", f.max_blocks_per_sm},
                 {"copy_engines", f.copy_engines},
                 {"managed_memory", f.managed_memory},
                 {"cooperative_launch", f.cooperative_launch},
                 {"clusters", f.clusters},
                 {"compute_mode", f.compute_mode}};
    put(json, "pcie_generation", f.pcie_generation);
    put(json, "pcie_generation_max", f.pcie_generation_max);
    put(json, "pcie_width", f.pcie_width);
    put(json, "pcie_width_max", f.pcie_width_max);
    put(json, "numa_node", f.numa_node);
    put(json, "ecc", f.ecc);
    put(json, "mig", f.mig);
    put(json, "persistence", f.persistence);
    put(json, "power_limit_w", f.power_limit_w);
    return json;
}

Json figure_json(const peaks::Figure& figure) {
    Json json = {{"id", figure.id}, {"group", figure.group}, {"what", figure.what}, {"unit", figure.unit}};
    const Json value = to_json(figure.value);
    for (const auto& [key, part] : value.items()) json[key] = part;
    if (figure.theoretical) {
        json["theoretical"] = number(*figure.theoretical);
        json["formula"] = figure.formula;
    }
    if (!figure.note.empty()) json["note"] = figure.note;
    return json;
}

} // namespace

Json present_json(const PresentGpu& present) {
    Json json = device_json(present.facts.id, present.gpu, false);
    json["driver"] = driver_json(present.facts);
    json["hardware"] = hardware_json(present.facts);
    if (!present.peaks) return json;
    Json measured = {
        {"at", present.peaks->measured_at}, {"driver", present.peaks->driver}, {"clock_mhz", number(present.peaks->clock_mhz)}};
    measured["figures"] = Json::array();
    for (const peaks::Figure& figure : present.peaks->figures) measured["figures"].push_back(figure_json(figure));
    measured["notes"] = present.peaks->notes;
    json["measured"] = std::move(measured);
    return json;
}

} // namespace apod::report
