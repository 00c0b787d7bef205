#include "report/line_row.hpp"

#include "model/metric_registry.hpp"
#include "report/names.hpp"

namespace apod::report {
namespace {

namespace metric = model::metric;

// A line that makes no such request has no such number: 0 of 0 is shown as nothing.
std::optional<Quantity> if_not_zero(std::optional<Quantity> quantity) {
    if (quantity && quantity->value == 0) return std::nullopt;
    return quantity;
}

} // namespace

std::vector<LineRow> line_rows(const LaunchRecord& launch) {
    const std::optional<Quantity> total = find_metric(launch.metrics, metric::warp_instructions);
    std::vector<LineRow> rows;
    for (const LineRecord& line : launch.lines) {
        LineRow row;
        row.line = &line;
        row.load_sectors = if_not_zero(find_metric(line.metrics, metric::global_load_sectors));
        row.store_sectors = if_not_zero(find_metric(line.metrics, metric::global_store_sectors));
        row.load_sectors_per_request = load_sectors_per_request(line.metrics);
        row.store_sectors_per_request = store_sectors_per_request(line.metrics);
        row.bank_conflicts = if_not_zero(bank_conflicts(line.metrics));
        row.lanes_active = lanes_active(line.metrics);
        const std::optional<Quantity> own = find_metric(line.metrics, metric::warp_instructions);
        if (own && total && total->value > 0) row.instruction_fraction = own->value / total->value;
        rows.push_back(row);
    }
    return rows;
}

} // namespace apod::report
