// Sectors come from DRAM of which only part is used.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::explain {

namespace {

double unused(const MetricMap& metrics) {
    using namespace model;
    return 32 * value_or_zero(metrics, metric::global_load_sectors) - value_or_zero(metrics, metric::global_load_bytes);
}

} // namespace

void unused_bytes(const Context& context, Findings& findings) {
    using namespace model;
    const double used = context.metric(metric::load_bytes_per_sector);
    const double dram = context.metric(metric::dram_read_bytes);
    // What caches give to later loads is not wasted: only when DRAM delivers about as much as the loads fetch does the rest go unused.
    const double fetched = 32 * context.metric(metric::global_load_sectors);
    if (used == 0 || used >= 75 || fetched == 0 || dram < 0.5 * fetched) return;
    Finding finding;
    finding.rule = "unused-bytes";
    finding.title = "Much of what comes from DRAM is not used";
    finding.evidence = fmt::format("{:.0f} % of the bytes of each loaded sector are used; {:.0f} B come from DRAM", used, dram);
    place(finding, worst_line(context.launch, unused));
    const double reads = dram / std::max(1.0, dram + context.metric(metric::dram_write_bytes));
    finding.gain_ns = gain_ns(context.launch, {{"dram", 1 - reads * (1 - used / 100)}, {"l2 reads", used / 100}});
    finding.advice =
        "Store what is used together side by side: an array for each member instead of an array of structures, or one pass over "
        "all members.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
