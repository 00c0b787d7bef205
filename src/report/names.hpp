// The words of the views: how sources, statuses and metrics are called. Metrics and their labels are those of
// model/metric_registry.hpp.
#pragma once

#include "apod/record.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apod::report {

// measured, counted, predicted, theoretical
[[nodiscard]] std::string_view source_name(Source source);

// The label for people with the unit ("store sectors", "DRAM read, B"); the identifier itself when the registry does not know it.
[[nodiscard]] std::string metric_label(std::string_view identifier);

// The metrics of a map in the registry's order, those it does not know behind them.
[[nodiscard]] std::vector<std::pair<std::string, Quantity>> in_reading_order(const MetricMap& metrics);

// Ratios for display. Nothing where a metric is missing or the denominator is 0; the source is the numerator's.
[[nodiscard]] std::optional<Quantity> ratio(const MetricMap& metrics, std::string_view numerator, std::string_view denominator);
[[nodiscard]] std::optional<Quantity> load_sectors_per_request(const MetricMap& metrics);
[[nodiscard]] std::optional<Quantity> store_sectors_per_request(const MetricMap& metrics);
[[nodiscard]] std::optional<Quantity> lanes_active(const MetricMap& metrics);   // of 32, per warp instruction
[[nodiscard]] std::optional<Quantity> bank_conflicts(const MetricMap& metrics); // loads, stores and atomics
[[nodiscard]] std::optional<Quantity> find_metric(const MetricMap& metrics, std::string_view identifier);

} // namespace apod::report
