// The unit of special functions and conversions sets the time.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::explain {

void special_functions(const Context& context, Findings& findings) {
    const double time = context.launch.time_ns.value;
    const double busy = share_ns(context.launch, "xu");
    // Conversions between float and double have a rule of their own.
    if (time <= 0 || busy < 0.4 * time || converts_all_the_time(context)) return;
    Finding finding;
    finding.rule = "special-functions";
    finding.title = "Special functions and conversions keep their unit busy";
    finding.evidence = fmt::format("the unit (xu) is busy {:.0f} % of the time; it does {:.0f} operations a clock in each SM, where FP32 "
                                   "has {:.0f}",
                                   100 * std::min(1.0, busy / time), context.gpu.throughput.special, context.gpu.throughput.fp32);
    finding.gain_ns = gain_ns(context.launch, {{"xu", 0.5}});
    finding.advice = "Have fewer of them: conversions between integers and floats out of the loop, a multiplication by the reciprocal "
                     "instead of a division, one sincosf for sinf and cosf, a polynomial where little accuracy is needed.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
