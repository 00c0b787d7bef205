// Requests of neighbours that begin within a sector, and so touch one more than their bytes fill.
#include "explain/gain.hpp"
#include "explain/rules/coalescing.hpp"

#include <fmt/format.h>

namespace apod::explain {

namespace {

Finding misaligned(const Context& context, const RequestKind& kind, bool load) {
    const double requests = context.metric(kind.requests);
    const double left = context.metric(kind.ideal) / context.metric(kind.sectors);
    const double unit_left = 1 - share_of_wavefronts(context, kind) * (1 - left);
    Finding finding;
    finding.rule = load ? "misaligned-load" : "misaligned-store";
    finding.title = load ? "Loads of neighbours begin within a sector" : "Stores of neighbours begin within a sector";
    finding.evidence = fmt::format("{:.1f} sectors of 32 B for each {} request where {:.1f} would do, had the first lane's address "
                                   "been a multiple of 32 B",
                                   context.metric(kind.sectors) / requests, load ? "load" : "store", context.metric(kind.ideal) / requests);
    place(finding, worst_line_of(context, kind));
    if (load)
        finding.gain_ns = gain_ns(context.launch, {{"l2 reads", left}, {"lsu", unit_left}, {"shared", unit_left}});
    else
        finding.gain_ns = gain_ns(context.launch, {{"l2 writes", left}, {"port", left}, {"lsu", unit_left}, {"shared", unit_left}});
    finding.advice = "Let each warp's first address be a multiple of 32 B: start rows there (a padded width, cudaMallocPitch), and give "
                     "the elements before the first whole sector to lanes of their own instead of shifting all.";
    return finding;
}

} // namespace

void misaligned_load(const Context& context, Findings& findings) {
    if (asks_for_too_many(context, loads) && only_misaligned(context, loads)) findings.push_back(misaligned(context, loads, true));
}

void misaligned_store(const Context& context, Findings& findings) {
    if (asks_for_too_many(context, stores) && only_misaligned(context, stores)) findings.push_back(misaligned(context, stores, false));
}

} // namespace apod::explain
