// Floats that become doubles and floats again: mostly a constant without f.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::explain {

bool converts_all_the_time(const Context& context) {
    return context.metric(model::metric::float_double_conversions) > 0.05 * context.metric(model::metric::thread_instructions);
}

void accidental_double(const Context& context, Findings& findings) {
    using namespace model;
    const double time = context.launch.time_ns.value;
    const double conversions = context.metric(metric::float_double_conversions);
    const double threads = context.metric(metric::thread_instructions);
    const double busy = std::max(share_ns(context.launch, "xu"), share_ns(context.launch, "fp64"));
    if (!converts_all_the_time(context)) return;
    if (!context.launch.shares.empty() && busy < 0.15 * time) return;
    Finding finding;
    finding.rule = "float-to-double-and-back";
    finding.title = "Floats are turned into doubles and back";
    finding.evidence = fmt::format("{:.0f} conversions between float and double, {:.0f} % of the instructions that threads execute",
                                   conversions, 100 * conversions / threads);
    if (busy > 0) finding.evidence += fmt::format("; they and the doubles keep a unit busy {:.0f} % of the time", 100 * busy / time);
    place(finding,
          worst_line(context.launch, [](const MetricMap& metrics) { return value_or_zero(metrics, metric::float_double_conversions); }));
    // The same in floats: no conversions, and the arithmetic at the rate of floats.
    const arch::Throughput& rate = context.gpu.throughput;
    const double as_float = rate.fp32 > 0 && rate.fp64 > 0 ? rate.fp64 / rate.fp32 : 0.5;
    finding.gain_ns = gain_ns(context.launch, {{"xu", 0}, {"fp64", as_float}, {"latency", 0.5}});
    finding.advice = "Write constants with f (0.5f instead of 0.5) and call the functions for float (sinf, fabsf): one double in an "
                     "expression makes all of it double.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
