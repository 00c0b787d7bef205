// A thread that loads an address again which it had loaded shortly before.
#include "explain/gain.hpp"
#include "explain/rules/coalescing.hpp"
#include "explain/rules/waits.hpp"
#include "model/counters/followed_thread.hpp"

#include <fmt/format.h>

namespace apod::explain {

namespace {

double waits_of_reloads(const LaunchRecord& launch) {
    using namespace model;
    double sum = 0;
    for (const LineRecord& line : launch.lines)
        if (value_or_zero(line.metrics, metric::followed_reloads) > 0) sum += value_or_zero(line.metrics, metric::wait_memory);
    return sum;
}

} // namespace

void reloads(const Context& context, Findings& findings) {
    using namespace model;
    const double again = context.metric(metric::reload_share) / 100;
    // Behind a barrier another thread's store may be what is loaded: only where most are loaded again.
    const bool barriers = context.metric(metric::barriers) > 0;
    if (again < (barriers ? 0.5 : 0.3)) return;
    Finding finding;
    finding.rule = "reloads";
    finding.title = "Threads load again what they have loaded";
    finding.evidence = fmt::format("{:.0f} % of a thread's loads ask for an address that is among its last {} loads (one thread of one "
                                   "block in {} was followed)",
                                   100 * again, FollowedThread::reach, FollowedThread::every_block);
    place(finding, worst_line(context.launch, [](const MetricMap& metrics) { return value_or_zero(metrics, metric::followed_reloads); }));
    const double left = 1 - again;
    const double unit_left = 1 - share_of_wavefronts(context, loads) * again;
    Changes changes = {{"lsu", unit_left}, {"shared", unit_left}, {"l2 reads", left}, {"latency", left}};
    if (barriers) {
        // Warps wait for much else, and what was loaded before comes from L1.
        const double waits = all_waits(context.launch.metrics);
        changes["latency"] = waits > 0 ? 1 - again * waits_of_reloads(context.launch) / waits : 1;
        changes["l2 reads"] = 1;
    }
    finding.gain_ns = gain_ns(context.launch, changes);
    finding.advice = barriers ? "If no other thread changes it meanwhile, keep it in registers or shared memory from one pass to the next: "
                                "across a barrier the compiler must load it again."
                              : "Declare the pointers __restrict__ (const float* __restrict__ in, float* __restrict__ out): as long as a "
                                "store may change what was loaded, the compiler must load it again. Or keep the value in a variable.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
