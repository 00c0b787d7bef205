#include "explain/rules/coalescing.hpp"

namespace apod::explain {

bool asks_for_too_many(const Context& context, const RequestKind& kind) {
    if (context.metric(kind.requests) == 0 || context.launch.block.count() < 2) return false;
    return context.metric(kind.sectors) >= 1.25 * context.metric(kind.ideal);
}

const LineRecord* worst_line_of(const Context& context, const RequestKind& kind) {
    return worst_line(context.launch, [&kind](const MetricMap& metrics) {
        return model::value_or_zero(metrics, kind.sectors) - model::value_or_zero(metrics, kind.ideal);
    });
}

bool only_misaligned(const Context& context, const RequestKind& kind) {
    const LineRecord* line = worst_line_of(context, kind);
    const MetricMap& metrics =
        line != nullptr && line->metrics.contains(std::string(kind.requests)) ? line->metrics : context.launch.metrics;
    const double requests = model::value_or_zero(metrics, kind.requests);
    const double ideal = model::value_or_zero(metrics, kind.ideal);
    // Requests of a sector or less: two sectors may be two places as well.
    if (ideal < 2 * requests) return false;
    return model::value_or_zero(metrics, kind.sectors) - ideal <= 1.01 * requests;
}

double share_of_wavefronts(const Context& context, const RequestKind& kind) {
    const double all = all_wavefronts(context);
    return all > 0 ? context.metric(kind.wavefronts) / all : 0;
}

} // namespace apod::explain
