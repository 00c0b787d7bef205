// Shared-memory requests that take several turns because lanes want different words of one bank.
#include "explain/gain.hpp"
#include "explain/rules/atomics.hpp"

#include <fmt/format.h>

namespace apod::explain {

namespace {

// Of loads and stores: those of atomics have rules of their own.
double conflicts(const MetricMap& metrics) {
    using namespace model;
    return value_or_zero(metrics, metric::shared_load_conflicts) + value_or_zero(metrics, metric::shared_store_conflicts);
}

} // namespace

void bank_conflicts(const Context& context, Findings& findings) {
    using namespace model;
    const double wavefronts = context.metric(metric::shared_wavefronts);
    const double lost = conflicts(context.launch.metrics);
    if (wavefronts <= 0 || lost < 0.1 * wavefronts) return;
    const double requests = context.metric(metric::shared_load_requests) + context.metric(metric::shared_store_requests) +
                            context.metric(metric::shared_atomic_requests);
    Finding finding;
    finding.rule = "bank-conflicts";
    finding.title = "Shared memory has bank conflicts";
    finding.evidence = fmt::format("{:.0f} of {:.0f} wavefronts ({:.0f} %) are repeats; {:.1f} wavefronts for each request", lost,
                                   wavefronts, 100 * lost / wavefronts, requests > 0 ? wavefronts / requests : 0);
    place(finding, worst_line(context.launch, conflicts));
    const double left = 1 - lost / charged_passes(context);
    finding.gain_ns = gain_ns(context.launch, {{"lsu", left}, {"shared", left}});
    finding.advice =
        "Pad each row of the array by one element (tile[32][32 + 1]), or swizzle the column (x ^ y), so that the lanes of a warp "
        "meet 32 different banks of 4 B.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
