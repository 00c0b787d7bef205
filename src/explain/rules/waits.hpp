// What warps wait for, by the instructions that were counted and their latencies.
#pragma once

#include "explain/rules/rule.hpp"

#include <string>

namespace apod::explain {

// Clocks of all kinds of waiting.
[[nodiscard]] double all_waits(const MetricMap& metrics);

// "; what a warp waits for by itself: loads of memory (76 %), barriers (15 %)"; empty where it is not known.
[[nodiscard]] std::string waits_text(const Context& context);

// Of what is waited for most: its worst line, and what to try.
void place_of_waits(const Context& context, Finding& finding);
[[nodiscard]] std::string waits_advice(const Context& context);

} // namespace apod::explain
