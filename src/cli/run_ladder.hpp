// What climb and explain have in common: the ladder that was named, on the device that was named.
#pragma once

#include "apod/check.hpp"
#include "base/result.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
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

// Where the climb was stopped ("in rung tiled"); empty: it was not.
std::string stopped_text(const ladder::ClimbResult& result);

// Shows the error of a ladder that gave no result; returns the exit code, which says so where it was stopped.
int end_ladder(const Diagnostic& error);

// Writes the forms asked for and, of a device that checks, the reports. Returns the exit code: 1 where a rung or a check failed.
int show_ladder(const LadderRun& run, const DeviceOptions& device_options, const Forms& forms, const OutputOptions& output);

// "n=2048" each; a repeated name is set by its last value. Values are decimal or 0x numbers.
Result<std::map<std::string, double>> parse_parameters(const std::vector<std::string>& assignments, const ladder::Ladder& ladder);

} // namespace apod::cli
