// What `apod devices` shows: every device that --device takes, with the theoretical peaks that follow from its description.
#pragma once

#include "arch/gpu.hpp"
#include "base/text_table.hpp"
#include "report/gpu_view.hpp"

#include <string>
#include <vector>

namespace apod::report {

struct DeviceEntry {
    std::string id; // emu:h200
    bool emulated = true;
    arch::Gpu gpu;
};

// How sure the numbers are, a letter each for SMs, boost clock, peak bandwidth and L2 size: V read in a public source, M measured, P read
// in part, R recalled, ? unknown.
[[nodiscard]] std::string confidence(const arch::Gpu& gpu);

[[nodiscard]] std::string devices_text(const std::vector<DeviceEntry>& devices, const TextStyle& style);
// docs/schema/apod-1.schema.json, "devices": the GPUs that are there first.
[[nodiscard]] std::string devices_json(const std::vector<DeviceEntry>& devices, const std::vector<PresentGpu>& present);
[[nodiscard]] std::string devices_csv(const std::vector<DeviceEntry>& devices, const std::vector<PresentGpu>& present);
[[nodiscard]] std::string devices_markdown(const std::vector<DeviceEntry>& devices);

} // namespace apod::report
