// Facts to metrics, for the launch and for every source line.
#pragma once

#include "apod/record.hpp"
#include "model/facts.hpp"
#include "model/predict/op_costs.hpp"

#include <vector>

namespace apod::model {

// Sums, caches and their ratios. Time and occupancy are added by those who compute them. Without `costs`, nothing of what is issued and
// waited for.
[[nodiscard]] MetricMap launch_metrics(const LaunchFacts& facts, const OpCosts& costs);

// One record a source line that executed, ordered by file, line and call site. Empty without line information.
[[nodiscard]] std::vector<LineRecord> line_records(const LaunchFacts& facts, const OpCosts& costs);

} // namespace apod::model
