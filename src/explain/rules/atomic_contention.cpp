// Many lanes of a warp update one address: they take turns, as many as want the busiest word.
#include "explain/gain.hpp"
#include "explain/rules/atomics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::explain {

namespace {

// A reduction of a warp: for integers one instruction.
std::string add_up_within_the_warp(const Context& context) {
    return context.metric(model::metric::float_atomics) > 0 ? "Add up within the warp first (shuffles: __shfl_xor_sync)"
                                                            : "Add up within the warp first (__reduce_add_sync, or shuffles)";
}

std::string said_of_turns(const Turns& turns) {
    return fmt::format("{:.1f} lanes of a request want its busiest word, and take turns: {:.0f} turns of {:.0f} requests",
                       turns.turns / turns.requests, turns.turns, turns.requests);
}

void in_global_memory(const Context& context, Findings& findings) {
    using namespace model;
    const Turns turns = global_turns(context.launch.metrics);
    if (turns.requests <= 0 || turns.turns < 4 * turns.requests) return;
    Finding finding;
    finding.rule = "atomic-contention";
    finding.title = "Lanes of a warp update the same addresses";
    finding.evidence = said_of_turns(turns);
    place(finding, worst_line(context.launch, [](const MetricMap& metrics) {
              const Turns line = global_turns(metrics);
              return line.turns - line.requests;
          }));
    // One turn a sector of each request is left.
    const double sectors =
        std::max(turns.requests, context.metric(metric::global_atomic_sectors) + context.metric(metric::global_reduction_sectors));
    finding.gain_ns = gain_ns(context.launch, {{"atomics", sectors / (sectors + turns.turns - turns.requests)}});
    finding.advice = add_up_within_the_warp(context) + " or the block (shared memory), and update once.";
    findings.push_back(std::move(finding));
}

void in_shared_memory(const Context& context, Findings& findings) {
    const Turns turns = shared_turns(context.launch.metrics);
    const double charged = charged_passes(context);
    const double lost = turns.turns - turns.requests;
    // Fewer turns than passes: different words in one bank, another rule.
    if (turns.requests <= 0 || turns.turns < turns.passes || lost < 0.1 * charged) return;
    Finding finding;
    finding.rule = "atomic-contention";
    finding.title = "Lanes of a warp update the same addresses of shared memory";
    finding.evidence = said_of_turns(turns) + busy_with(context, turns);
    place(finding, worst_line(context.launch, [](const MetricMap& metrics) {
              const Turns line = shared_turns(metrics);
              return line.turns - line.requests;
          }));
    // What the repair costs in instructions or copies to add up: a quarter of the turns, but one a request.
    const double after = std::max(turns.requests, turns.turns / 4);
    const double left = 1 - (turns.turns - after) / charged;
    finding.gain_ns = gain_ns(context.launch, {{"lsu", left}, {"shared", left}});
    unsigned copies = 2;
    while (copies < turns.turns / turns.requests && copies < 32) copies *= 2;
    finding.advice =
        add_up_within_the_warp(context) +
        fmt::format(" and update once for each address (__match_any_sync finds the lanes of equal addresses), or give lanes "
                    "{} times as many copies to update as there are now (side by side, chosen by threadIdx.x % copies) and add "
                    "those up at the end.",
                    copies);
    findings.push_back(std::move(finding));
}

} // namespace

void atomic_contention(const Context& context, Findings& findings) {
    in_global_memory(context, findings);
    in_shared_memory(context, findings);
}

} // namespace apod::explain
