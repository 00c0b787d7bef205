// A thread that loads an address again which it had loaded shortly before.
#include "explain/gain.hpp"
#include "explain/rules/coalescing.hpp"
#include "model/counters/followed_thread.hpp"

#include <fmt/format.h>

namespace apod::explain {

void reloads(const Context& context, Findings& findings) {
    using namespace model;
    const double again = context.metric(metric::reload_share) / 100;
    // Behind a barrier another thread's store may be what is loaded.
    if (again < 0.3 || context.metric(metric::barriers) > 0) return;
    Finding finding;
    finding.rule = "reloads";
    finding.title = "Threads load again what they have loaded";
    finding.evidence = fmt::format("{:.0f} % of a thread's loads ask for an address that is among its last {} loads (one thread of one "
                                   "block in {} was followed)",
                                   100 * again, FollowedThread::reach, FollowedThread::every_block);
    place(finding, worst_line(context.launch, [](const MetricMap& metrics) { return value_or_zero(metrics, metric::followed_reloads); }));
    const double left = 1 - again;
    const double unit_left = 1 - share_of_wavefronts(context, loads) * again;
    finding.gain_ns = gain_ns(context.launch, {{"lsu", unit_left}, {"shared", unit_left}, {"l2 reads", left}, {"latency", left}});
    finding.advice = "Declare the pointers __restrict__ (const float* __restrict__ in, float* __restrict__ out): as long as a store may "
                     "change what was loaded, the compiler must load it again. Or keep the value in a variable.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
