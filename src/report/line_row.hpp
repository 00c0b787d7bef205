// The lines of a launch as a table shows them: the counters that matter, hottest first marked by their share of the launch's.
#pragma once

#include "apod/record.hpp"

#include <optional>
#include <string>
#include <vector>

namespace apod::report {

struct LineRow {
    const LineRecord* line = nullptr;
    std::optional<Quantity> load_sectors;
    std::optional<Quantity> store_sectors;
    std::optional<Quantity> load_sectors_per_request;
    std::optional<Quantity> store_sectors_per_request;
    std::optional<Quantity> bank_conflicts;
    std::optional<Quantity> lanes_active;
    std::optional<double> instruction_fraction; // of the launch's warp instructions
};

[[nodiscard]] std::vector<LineRow> line_rows(const LaunchRecord& launch);

} // namespace apod::report
