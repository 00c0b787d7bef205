// What climb and explain have in common: the ladder that was named, on the device that was named.
#pragma once

#include "apod/check.hpp"
#include "base/result.hpp"
#include "cli/options.hpp"
#include "ladder/climb.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace apod::cli {

struct LadderRun {
    ladder::Ladder ladder;
    ladder::ClimbResult result;
    std::vector<CheckReport> checks; // of a device that checks
};

// Checks the outputs, loads the ladder, opens the device and climbs, with progress on standard error where that is a terminal.
Result<LadderRun> run_ladder(const LadderOptions& ladder_options, const DeviceOptions& device_options, const OutputOptions& output);

// "n=2048" each; a repeated name is set by its last value. Values are decimal or 0x numbers.
Result<std::map<std::string, double>> parse_parameters(const std::vector<std::string>& assignments);

} // namespace apod::cli
