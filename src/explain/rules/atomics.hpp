// What the rules of atomics agree on.
#pragma once

#include "explain/rules/rule.hpp"

#include <string>

namespace apod::explain {

struct Turns {
    double requests = 0;
    double turns = 0;  // lanes on the busiest word of each request, added up
    double passes = 0; // of shared memory's banks, by the requests
};

// Of a launch or a line. Where turns were not counted (recordings of before), those of lanes spread evenly over their addresses.
[[nodiscard]] Turns global_turns(const MetricMap& metrics);
[[nodiscard]] Turns shared_turns(const MetricMap& metrics);

// What the model charges the load/store unit: all passes, and of atomics on shared memory their turns where these are more.
[[nodiscard]] double charged_passes(const Context& context);

// "; that is 8.6 us of shared memory's time (55 % of the kernel's)"; empty where it is not known.
[[nodiscard]] std::string busy_with(const Context& context, const Turns& turns);

} // namespace apod::explain
