// Running a launch within a budget of warp instructions: all of its blocks, or as many whole rounds over the SMs as fit.
#pragma once

#include "emu/launch.hpp"

#include <cstdint>

namespace apod::device {

// One round (a block for every SM) runs first and tells what a block costs; the rest of the grid follows, or what the budget leaves of it.
// No block runs twice. `budget` 0: everything.
[[nodiscard]] Result<emu::Execution> run_within(const emu::Program& program, const emu::LaunchConfig& config, emu::DeviceMemory& memory,
                                                const emu::RunOptions& options, const emu::SinkFactory& sinks, std::uint64_t budget);

} // namespace apod::device
