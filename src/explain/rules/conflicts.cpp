#include "explain/rules/conflicts.hpp"

namespace apod::explain {

using namespace model;

double conflicts(const MetricMap& metrics) {
    return value_or_zero(metrics, metric::shared_load_conflicts) + value_or_zero(metrics, metric::shared_store_conflicts) +
           value_or_zero(metrics, metric::shared_atomic_conflicts);
}

bool has_conflicts(const Context& context) {
    const double wavefronts = context.metric(metric::shared_wavefronts);
    return wavefronts > 0 && conflicts(context.launch.metrics) >= 0.1 * wavefronts;
}

bool conflicts_of_atomics(const Context& context) {
    return context.metric(metric::shared_atomic_conflicts) > 0.5 * conflicts(context.launch.metrics);
}

} // namespace apod::explain
