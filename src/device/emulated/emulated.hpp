// The emulated GPU as a Device: src/emu runs the PTX, src/model counts and predicts.
#pragma once

#include "device/device.hpp"
#include "model/scenario.hpp"

#include <memory>
#include <vector>

namespace apod::device {

struct EmulatedOptions {
    unsigned threads = 0;                        // worker threads; 0: all cores
    bool checks = false;                         // Device::check_reports() has the mistakes of what is launched
    std::vector<model::Scenario> scenarios = {}; // what each launch's record estimates beside itself
};

[[nodiscard]] std::unique_ptr<Device> make_emulated(arch::Gpu gpu, const EmulatedOptions& options = {});

} // namespace apod::device
