// Climbing on an emulated GPU, for tests.
#pragma once

#include "ladder/climb.hpp"

#include <map>
#include <string>
#include <vector>

namespace apod::golden {

// Climbs a ladder by name or path on emu:<gpu>.
Result<ladder::ClimbResult> climb_emulated(const std::string& ladder, const std::map<std::string, double>& parameters = {},
                                           const std::vector<std::string>& rungs = {}, const std::string& gpu = "h200");

// The rung of that name; a test failure and an empty one when it is not there.
const ladder::RungResult& rung_of(const ladder::ClimbResult& climb, const std::string& name);

// A metric of a rung; a test failure and -1 when it is not there.
double metric(const ladder::ClimbResult& climb, const std::string& rung, const std::string& name);

} // namespace apod::golden
