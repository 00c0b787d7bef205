// A recorded `apod transfer --json`, back as what it was written from.
#pragma once

#include "transfer/result.hpp"

#include <string>

namespace apod::differential {

// A file below tests/replay; empty findings where it cannot be read.
transfer::Findings read_transfer(const std::string& path);

} // namespace apod::differential
