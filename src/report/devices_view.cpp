#include "report/devices_view.hpp"

#include "base/units.hpp"
#include "report/delimited.hpp"
#include "report/json.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace apod::report {
namespace {

constexpr std::string_view from_best_to_worst = "VMPR?";

// The keys of a description that the table's numbers follow from.
constexpr std::array<std::string_view, 5> shown_keys = {"sm_count", "boost_mhz", "memory.peak_gbs", "memory.size_bytes", "caches.l2_bytes"};

bool ends_with_key(std::string_view key, std::string_view wanted) {
    return key == wanted || (key.size() > wanted.size() && key.ends_with(wanted) && key[key.size() - wanted.size() - 1] == '.');
}

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
    std::size_t worst = 0;
    bool known = false;
    for (const auto& [key, provenance] : gpu.provenance) {
        const bool shown =
            std::any_of(shown_keys.begin(), shown_keys.end(), [&key = key](auto wanted) { return ends_with_key(key, wanted); });
        if (!shown || provenance.confidence.empty()) continue;
        known = true;
        worst = std::max(worst, std::min(from_best_to_worst.find(provenance.confidence.front()), from_best_to_worst.size() - 1));
    }
    return std::string(1, known ? from_best_to_worst[worst] : '?');
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
        "Peaks are theoretical: clock x units, memory clock x bus width. sure: V every shown number read in a public "
        "source, M measured, P read in part, R recalled, ? unknown; the weakest counts.";
    return table.render(style) + "\n" + legend_text(legend, style);
}

std::string devices_json(const std::vector<DeviceEntry>& devices) {
    Json json;
    json["schema"] = schema_version;
    json["devices"] = Json::array();
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

std::string devices_csv(const std::vector<DeviceEntry>& devices) {
    std::string out = csv_row({"device", "name", "emulated", "compute_capability", "sm_count", "boost_mhz", "memory_type", "memory_bytes",
                               "peak_gbs", "l2_bytes", "fp32_gflops", "fp64_gflops", "confidence"});
    for (const DeviceEntry& device : devices) {
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
    for (const DeviceEntry& device : devices) rows.push_back(text_cells(device));
    return markdown_table({"device", "name", "cc", "SMs", "boost MHz", "memory", "peak GB/s", "L2", "FP32 TFLOP/s", "FP64 TFLOP/s", "sure"},
                          {false, false, false, true, true, false, true, true, true, true, false}, rows);
}

} // namespace apod::report
