// Recorded device runs: CSV files below tests/replay.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace apod::differential {

using Row = std::map<std::string, std::string>; // by column name

// The rows of a file below tests/replay; fields with commas are in quotes. Empty when the file is missing.
std::vector<Row> read_recording(const std::string& path);

double number(const Row& row, const std::string& column);

} // namespace apod::differential
