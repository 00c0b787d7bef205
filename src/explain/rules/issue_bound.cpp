// The schedulers issue most of the time, and much of what they issue is neither arithmetic nor memory.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace apod::explain {

namespace {

struct Part {
    std::string_view metric;
    const char* what;
    const char* advice;
};

constexpr const char* strength =
    "Keep the lines above short: unroll loops (#pragma unroll), let each thread do several neighbouring elements "
    "(float4), advance a pointer instead of computing an index, use 32-bit indices.";

constexpr Part parts[] = {
    {model::metric::issued_integer, "integers and addresses", strength},
    {model::metric::issued_control, "comparisons and branches", strength},
    {model::metric::issued_division, "divisions",
     "A division is a sequence of instructions, for integers about 17: divide once outside the loop and multiply by the reciprocal; of "
     "integers by a constant known to the compiler or a power of two (shift, mask); of floats __fdividef where its accuracy is enough."},
    {model::metric::issued_conversion, "conversions",
     "Convert once, outside the loop, or keep values in the type in which they are used."}};

double beside_the_work(const MetricMap& metrics) {
    using namespace model;
    return value_or_zero(metrics, metric::issued) - value_or_zero(metrics, metric::issued_memory) -
           value_or_zero(metrics, metric::issued_arithmetic);
}

} // namespace

void issue_bound(const Context& context, Findings& findings) {
    using namespace model;
    const double issued = context.metric(metric::issued);
    const double busy = share_ns(context.launch, "issue");
    const double time = context.launch.time_ns.value;
    // Where arithmetic's own unit is as busy, issuing less of the rest helps as well: the largest share decides.
    if (issued <= 0 || time <= 0 || busy < 0.4 * time || largest_share(context).name != "issue") return;
    const double beside = beside_the_work(context.launch.metrics);
    std::vector<const Part*> sorted;
    for (const Part& part : parts) sorted.push_back(&part);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const Part* a, const Part* b) { return context.metric(a->metric) > context.metric(b->metric); });
    Finding finding;
    finding.rule = "issue-bound";
    finding.title = "Instructions that are no arithmetic fill the schedulers";
    finding.evidence = fmt::format("the schedulers issue for {:.0f} % of the time; of {:.0f} warp instructions {:.0f} % are arithmetic of "
                                   "floats, {:.0f} % access memory",
                                   100 * busy / time, issued, 100 * context.metric(metric::issued_arithmetic) / issued,
                                   100 * context.metric(metric::issued_memory) / issued);
    for (const Part* part : sorted)
        if (context.metric(part->metric) >= 0.05 * issued)
            finding.evidence += fmt::format(", {:.0f} % {}", 100 * context.metric(part->metric) / issued, part->what);
    const LineRecord* line = worst_line(context.launch, beside_the_work);
    place(finding, line);
    if (line != nullptr)
        finding.evidence += fmt::format("; the line issues {:.0f} % of all", 100 * value_or_zero(line->metrics, metric::issued) / issued);
    const double left = 1 - 0.5 * beside / issued;
    finding.gain_ns = gain_ns(context.launch, {{"issue", left}, {"alu", left}});
    // What the line has most of.
    const MetricMap& most = line != nullptr ? line->metrics : context.launch.metrics;
    const Part* worst = *std::max_element(sorted.begin(), sorted.end(), [&](const Part* a, const Part* b) {
        return value_or_zero(most, a->metric) < value_or_zero(most, b->metric);
    });
    finding.advice = worst->advice;
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
