// A recorded GPU as a Device. The emulator runs the kernels, so results are real and are verified; what a launch cost is what was measured
// when it was recorded. So all that is built on measurements is tested where there is no GPU, and a run can be looked at elsewhere.
#pragma once

#include "device/device.hpp"
#include "device/replay/recording.hpp"

#include <memory>
#include <string>

namespace apod::device {

// `gpu` describes the recorded GPU; the id is "replay:" and the recorded one. Launches are recognised by kernel, grid, block and dynamic
// shared memory; several recorded ones that look alike are given in their order, then the last again. One that was not recorded is
// unavailable.
[[nodiscard]] std::unique_ptr<Device> make_replay(Recording recording, arch::Gpu gpu, unsigned threads = 0);

// Reads the file and finds the description by the GPU's name.
Result<std::unique_ptr<Device>> open_replay(const std::string& file, unsigned threads = 0);

} // namespace apod::device
