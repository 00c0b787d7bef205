// What the two rules of bank conflicts agree on.
#pragma once

#include "explain/rules/rule.hpp"

namespace apod::explain {

// Passes of shared memory that are repeats.
[[nodiscard]] double conflicts(const MetricMap& metrics);

// A tenth of the passes are.
[[nodiscard]] bool has_conflicts(const Context& context);

// Most of them are of atomics.
[[nodiscard]] bool conflicts_of_atomics(const Context& context);

} // namespace apod::explain
