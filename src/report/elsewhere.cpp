#include "report/elsewhere.hpp"

#include "base/units.hpp"
#include "report/delimited.hpp"
#include "report/rung_row.hpp"
#include "report/text_parts.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace apod::report {
namespace {

// One question's answer for a whole rung.
struct Sum {
    std::string what;
    double time_ns = 0;
    std::optional<double> error;
    double longest_ns = 0;
    std::string limiter;
    std::uint32_t warps = 0;
    std::string why_not;

    void add(double ns, const std::optional<double>& likely, const std::string& by, std::uint32_t resident) {
        time_ns += ns;
        if (likely) error = std::max(error.value_or(0), *likely);
        if (ns < longest_ns) return;
        longest_ns = ns;
        limiter = by;
        warps = resident;
    }
};

std::vector<Sum> sums_of(const ladder::ClimbResult& climb, const ladder::RungResult& rung) {
    std::vector<Sum> sums(1);
    sums[0].what = climb.device;
    for (const LaunchRecord& launch : rung.launches) {
        sums[0].add(launch.time_ns.value, launch.time_error, launch.limiter, launch.occupancy.warps_per_sm);
        sums.resize(1 + launch.estimates.size());
        for (std::size_t i = 0; i < launch.estimates.size(); ++i) {
            const Estimate& estimate = launch.estimates[i];
            sums[1 + i].what = estimate.what;
            if (!estimate.why_not.empty()) sums[1 + i].why_not = estimate.why_not;
            sums[1 + i].add(estimate.time_ns.value, estimate.error, estimate.limiter, estimate.occupancy.warps_per_sm);
        }
    }
    return sums;
}

std::vector<std::vector<std::string>> table_rows(const ladder::ClimbResult& climb) {
    std::vector<std::vector<std::string>> rows;
    for (const RungRow& row : rung_rows(climb)) {
        if (!row.time_ns) continue;
        const std::vector<Sum> sums = sums_of(climb, *row.rung);
        if (sums.size() < 2) continue;
        for (const Sum& sum : sums) {
            if (!sum.why_not.empty()) {
                rows.push_back({row.rung->name, sum.what, nothing, nothing, nothing, nothing, sum.why_not});
                continue;
            }
            rows.push_back({row.rung->name, sum.what, format_time_ns(sum.time_ns), sum.error ? format_percent(*sum.error, 0) : nothing,
                            sum.time_ns > 0 ? fmt::format("{:.2f}x", sums[0].time_ns / sum.time_ns) : nothing, std::to_string(sum.warps),
                            sum.limiter});
        }
    }
    return rows;
}

} // namespace

std::string elsewhere_text(const ladder::ClimbResult& climb, const TextStyle& style) {
    const std::vector<std::vector<std::string>> rows = table_rows(climb);
    if (rows.empty()) return {};
    TextTable table({{"rung"},
                     {"on"},
                     {"time", Align::right, "predicted"},
                     {"error", Align::right, "likely"},
                     {"faster", Align::right},
                     {"warps", Align::right, "an SM"},
                     {"limiter"}});
    for (const std::vector<std::string>& row : rows) table.add_row({row.begin(), row.end()});
    return "\n" + paragraph("", "  ", "Elsewhere, and otherwise: predicted from the same run's counts", style) + table.render(style) +
           legend_text("error: what known launches showed of the model, with the confidence in the numbers of the GPU's description; "
                       "faster: than the run itself.",
                       style);
}

std::string elsewhere_markdown(const ladder::ClimbResult& climb) {
    const std::vector<std::vector<std::string>> rows = table_rows(climb);
    if (rows.empty()) return {};
    return "\n#### Elsewhere, and otherwise (predicted)\n\n" +
           markdown_table({"rung", "on", "time", "likely error", "faster", "warps an SM", "limiter"},
                          {false, false, true, true, true, true, false}, rows);
}

} // namespace apod::report
