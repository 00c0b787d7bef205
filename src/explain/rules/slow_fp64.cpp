// Double precision on a GPU that has little of it.
#include "explain/gain.hpp"
#include "explain/rules/rule.hpp"

#include <fmt/format.h>

namespace apod::explain {

void slow_fp64(const Context& context, Findings& findings) {
    const double fp64 = share_ns(context.launch, "fp64");
    const double time = context.launch.time_ns.value;
    const arch::Throughput& rate = context.gpu.throughput;
    if (time <= 0 || fp64 < 0.15 * time || rate.fp64 <= 0 || rate.fp32 < 16 * rate.fp64) return;
    if (converts_all_the_time(context)) return; // accidental_double says it
    Finding finding;
    finding.rule = "fp64-on-a-gpu-with-little";
    finding.title = "Double precision is slow on this GPU";
    finding.evidence = fmt::format("the FP64 pipe is busy {:.0f} % of the time; {} does {:.0f} FP32 operations for each FP64 one",
                                   100 * fp64 / time, context.gpu.name, rate.fp32 / rate.fp64);
    finding.gain_ns = gain_ns(context.launch, {{"fp64", rate.fp64 / rate.fp32}});
    finding.advice =
        "Use float where it is accurate enough; look for constants without f (0.5 instead of 0.5f), which turn a whole expression "
        "into double.";
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
