#include "report/gpu_reader.hpp"

#include "base/json_document.hpp"
#include "base/json_problem.hpp"

#include <fmt/format.h>

#include <charconv>

namespace apod::report {
namespace {

template<class T> void take(const Json& json, const char* key, T& to) {
    if (json.contains(key)) to = json.at(key).get<T>();
}
template<class T> void take(const Json& json, const char* key, std::optional<T>& to) {
    if (json.contains(key)) to = json.at(key).get<T>();
}

arch::ComputeCapability capability(const std::string& text) {
    arch::ComputeCapability cc;
    const char* end = text.data() + text.size();
    const auto [dot, error] = std::from_chars(text.data(), end, cc.major);
    if (error == std::errc() && dot != end) std::from_chars(dot + 1, end, cc.minor);
    return cc;
}

void take_hardware(const Json& json, device::DeviceFacts& f) {
    take(json, "uuid", f.uuid);
    take(json, "bus_id", f.bus_id);
    take(json, "memory_mhz", f.memory_mhz);
    take(json, "memory_bus_bits", f.bus_bits);
    take(json, "persisting_l2_bytes", f.persisting_l2_bytes);
    take(json, "shared_per_block_bytes", f.shared_per_block_bytes);
    take(json, "shared_per_block_optin_bytes", f.shared_per_block_optin_bytes);
    take(json, "shared_per_sm_bytes", f.shared_per_sm_bytes);
    take(json, "registers_per_block", f.registers_per_block);
    take(json, "registers_per_sm", f.registers_per_sm);
    take(json, "max_threads_per_block", f.max_threads_per_block);
    take(json, "max_threads_per_sm", f.max_threads_per_sm);
    take(json, "max_blocks_per_sm", f.max_blocks_per_sm);
    take(json, "copy_engines", f.copy_engines);
    take(json, "managed_memory", f.managed_memory);
    take(json, "cooperative_launch", f.cooperative_launch);
    take(json, "clusters", f.clusters);
    take(json, "compute_mode", f.compute_mode);
    take(json, "pcie_generation", f.pcie_generation);
    take(json, "pcie_generation_max", f.pcie_generation_max);
    take(json, "pcie_width", f.pcie_width);
    take(json, "pcie_width_max", f.pcie_width_max);
    take(json, "numa_node", f.numa_node);
    take(json, "ecc", f.ecc);
    take(json, "mig", f.mig);
    take(json, "persistence", f.persistence);
    take(json, "power_limit_w", f.power_limit_w);
}

device::DeviceFacts facts_from(const Json& json) {
    device::DeviceFacts f;
    f.id = json.at("id").get<std::string>();
    f.name = json.at("name").get<std::string>();
    f.cc = capability(json.at("compute_capability").get<std::string>());
    take(json, "sm_count", f.sm_count);
    take(json, "boost_mhz", f.boost_mhz);
    take(json, "l2_bytes", f.l2_bytes);
    take(json.at("memory"), "bytes", f.memory_bytes);
    take_hardware(json.at("hardware"), f);
    const Json& driver = json.at("driver");
    take(driver, "version", f.driver_version);
    take(driver, "cuda_version", f.cuda_version);
    take(driver, "emulated", f.emulated);
    take(driver.at("counters"), "allowed", f.counters.allowed);
    take(driver.at("counters"), "why", f.counters.why);
    take(driver.at("counters"), "how", f.counters.how);
    return f;
}

peaks::Figure figure_from(const Json& json) {
    peaks::Figure figure;
    take(json, "id", figure.id);
    take(json, "group", figure.group);
    take(json, "what", figure.what);
    take(json, "unit", figure.unit);
    take(json, "value", figure.value.value);
    figure.value.source = json.at("source").get<std::string>() == "measured" ? Source::measured : Source::predicted;
    take(json, "noise", figure.value.noise);
    take(json, "theoretical", figure.theoretical);
    take(json, "formula", figure.formula);
    take(json, "note", figure.note);
    return figure;
}

peaks::Peaks peaks_from(const Json& json, const device::DeviceFacts& facts) {
    peaks::Peaks peaks;
    peaks.device = facts.id;
    peaks.name = facts.name;
    peaks.uuid = facts.uuid;
    peaks.cuda_version = facts.cuda_version;
    take(json, "at", peaks.measured_at);
    take(json, "driver", peaks.driver);
    take(json, "clock_mhz", peaks.clock_mhz);
    for (const Json& figure : json.at("figures")) peaks.figures.push_back(figure_from(figure));
    for (const Json& note : json.at("notes")) peaks.notes.push_back(note.get<std::string>());
    return peaks;
}

} // namespace

Result<std::vector<PresentGpu>> present_from_json(std::string_view text, const std::string& file) {
    const std::string hint = "record it on a GPU: apod devices --measure --json " + file;
    try {
        const Result<Json> document = parse_document<Json>(text, file, hint);
        if (!document) return document.error();
        const Json& json = *document;
        std::vector<PresentGpu> gpus;
        for (const Json& entry : json.at("devices")) {
            if (!entry.contains("hardware")) continue;
            PresentGpu present{facts_from(entry), {}, std::nullopt};
            Result<arch::Gpu> gpu = device::describe(present.facts);
            if (!gpu) return gpu.error();
            present.gpu = *std::move(gpu);
            if (entry.contains("measured")) present.peaks = peaks_from(entry.at("measured"), present.facts);
            gpus.push_back(std::move(present));
        }
        if (gpus.empty()) return bad_input({file, 0, 0}, "no GPU is recorded in it", hint);
        return gpus;
    } catch (const Json::exception& error) {
        return bad_input({file, 0, 0}, fmt::format("these are no recorded devices: {}", json_problem(error.what())), hint);
    }
}

} // namespace apod::report
