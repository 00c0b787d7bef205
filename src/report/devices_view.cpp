#include "report/devices_view.hpp"

#include "base/units.hpp"
#include "report/delimited.hpp"
#include "report/json.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace apod::report {
namespace {

// The keys of a description that the letters of confidence() stand for.
constexpr std::array<const char*, 4> judged_keys = {"sm_count", "boost_mhz", "memory.peak_gbs", "caches.l2_bytes"};

std::string cc_text(const arch::Gpu& gpu) { return fmt::format("{}.{}", gpu.cc.major, gpu.cc.minor); }

std::string teraflops(double gflops) { return gflops > 0 ? format_significant(gflops / 1000, 3) : "-"; }

std::vector<std::string> text_cells(const DeviceEntry& device) {
    const arch::Gpu& gpu = device.gpu;
    return {device.id,
            gpu.name,
            cc_text(gpu),
            std::to_string(gpu.sm_count),
            fmt::format("{:.0f}", gpu.boost_mhz),
            fmt::format("{} {}", format_bytes_binary(std::round(static_cast<double>(gpu.memory.size_bytes)), 3), gpu.memory.type),
            fmt::format("{:.0f}", gpu.memory.peak_gbs),
            format_bytes_binary(static_cast<double>(gpu.caches.l2_bytes), 3),
            teraflops(gpu.fp32_gflops()),
            teraflops(gpu.fp64_gflops()),
            confidence(gpu)};
}

} // namespace

std::string confidence(const arch::Gpu& gpu) {
    std::string letters;
    for (const char* key : judged_keys) {
        const auto found = gpu.provenance.find(key);
        letters += found == gpu.provenance.end() || found->second.confidence.empty() ? '?' : found->second.confidence.front();
    }
    return letters;
}

std::string devices_text(const std::vector<DeviceEntry>& devices, const TextStyle& style) {
    TextTable table({{"device"},
                     {"name"},
                     {"cc"},
                     {"SMs", Align::right},
                     {"boost", Align::right, "MHz"},
                     {"memory", Align::left},
                     {"peak", Align::right, "GB/s"},
                     {"L2", Align::right},
                     {"FP32", Align::right, "TFLOP/s"},
                     {"FP64", Align::right, "TFLOP/s"},
                     {"sure"}});
    for (const DeviceEntry& device : devices) {
        std::vector<Cell> cells;
        for (const std::string& text : text_cells(device)) cells.emplace_back(text);
        table.add_row(std::move(cells));
    }
    const std::string legend =
        "Peaks are theoretical: clock x units, memory clock x bus width. sure: how SMs, boost, peak and L2 are known, a letter "
        "each: V read in a public source, M measured, P read in part, R recalled, ? unknown. --json has the source of "
        "every number.";
    return table.render(style) + "\n" + legend_text(legend, style);
}

std::string devices_json(const std::vector<DeviceEntry>& devices, const std::vector<PresentGpu>& present) {
    Json json;
    json["schema"] = schema_version;
    json["devices"] = Json::array();
    for (const PresentGpu& gpu : present) json["devices"].push_back(present_json(gpu));
    for (const DeviceEntry& device : devices) {
        Json entry = device_json(device.id, device.gpu, device.emulated);
        entry["confidence"] = confidence(device.gpu);
        entry["provenance"] = Json::object();
        for (const auto& [key, provenance] : device.gpu.provenance)
            entry["provenance"][key] = {{"source", provenance.source}, {"confidence", provenance.confidence}};
        json["devices"].push_back(std::move(entry));
    }
    return dump(json);
}

std::string devices_csv(const std::vector<DeviceEntry>& devices, const std::vector<PresentGpu>& present) {
    std::vector<DeviceEntry> all;
    for (const PresentGpu& gpu : present) all.push_back({gpu.facts.id, false, gpu.gpu});
    all.insert(all.end(), devices.begin(), devices.end());
    std::string out = csv_row({"device", "name", "emulated", "compute_capability", "sm_count", "boost_mhz", "memory_type", "memory_bytes",
                               "peak_gbs", "l2_bytes", "fp32_gflops", "fp64_gflops", "confidence"});
    for (const DeviceEntry& device : all) {
        const arch::Gpu& gpu = device.gpu;
        out += csv_row({device.id, gpu.name, device.emulated ? "true" : "false", cc_text(gpu), std::to_string(gpu.sm_count),
                        plain_number(gpu.boost_mhz), gpu.memory.type, std::to_string(gpu.memory.size_bytes),
                        plain_number(gpu.memory.peak_gbs), std::to_string(gpu.caches.l2_bytes), plain_number(gpu.fp32_gflops()),
                        plain_number(gpu.fp64_gflops()), confidence(gpu)});
    }
    return out;
}

std::string devices_markdown(const std::vector<DeviceEntry>& devices) {
    std::vector<std::vector<std::string>> rows;
    rows.reserve(devices.size());
    for (const DeviceEntry& device : devices) rows.push_back(text_cells(device));
    return markdown_table({"device", "name", "cc", "SMs", "boost MHz", "memory", "peak GB/s", "L2", "FP32 TFLOP/s", "FP64 TFLOP/s", "sure"},
                          {false, false, false, true, true, false, true, true, true, true, false}, rows);
}

} // namespace apod::report
