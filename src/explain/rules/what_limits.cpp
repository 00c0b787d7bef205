// Where no rule finds anything: what limits the launch, and whether that is at its peak.
#include "explain/gain.hpp"
#include "explain/rules/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace apod::explain {

namespace {

struct Resource {
    std::string_view share;
    const char* name;
    const char* less; // what there would have to be less of
};

constexpr Resource resources[] = {
    {"issue", "the schedulers", "fewer instructions"},
    {"fma", "the units of FP32 and products", "fewer operations, or half precision and tensor cores where these are accurate enough"},
    {"alu", "the units of integers and comparisons", "fewer integer operations: addresses computed once, comparisons hoisted"},
    {"fp64", "the units of FP64", "fewer operations, or float where that is accurate enough"},
    {"xu", "the unit of special functions and conversions", "fewer functions, divisions and conversions"},
    {"shuffle", "the unit of shuffles", "fewer shuffles: more elements a thread before its warp combines them"},
    {"barrier", "the unit of barriers", "fewer barriers"},
    {"lsu", "the load/store unit", "fewer, wider accesses (float4), and values kept in registers"},
    {"shared", "shared memory", "fewer accesses: several results a thread from each value, wider accesses, shuffles"},
    {"port", "the SM's way to L2", "fewer bytes stored, and in whole sectors"},
    {"l2 reads", "L2's reads", "fewer bytes read: reuse through shared memory or registers, larger tiles, smaller types"},
    {"l2 writes", "L2's writes", "fewer bytes stored, and in whole lines"},
    {"atomics", "L2's atomics", "fewer updates: sums of a block or warp first"},
    {"dram", "DRAM", "fewer bytes: smaller types, kernels fused so that a value is read and written once, tiles that stay in L2"},
    {"dispatch", "the start of blocks", "fewer blocks that do more each"},
    {"launch", "the launch", "more work in each launch, or a CUDA graph"}};

constexpr double at_peak = 0.8;

} // namespace

void what_limits(const Context& context, Findings& findings) {
    const double time = context.launch.time_ns.value - share_ns(context.launch, "launch");
    if (context.launch.shares.empty() || time <= 0) return;
    const LimiterShare share = largest_share(context);
    Finding finding;
    if (share.name == "latency") {
        finding.rule = limited_by;
        finding.title = "Waiting sets the time";
        finding.evidence = fmt::format("for {:.0f} % of the kernel's time no unit is busy", 100 * std::min(1.0, share.time_ns / time)) +
                           waits_text(context);
        place_of_waits(context, finding);
        finding.advice = waits_advice(context);
        return findings.push_back(std::move(finding));
    }
    const auto* resource =
        std::find_if(std::begin(resources), std::end(resources), [&](const Resource& one) { return one.share == share.name; });
    if (resource == std::end(resources)) return;
    const double busy = std::min(1.0, share.time_ns / time);
    const bool peak = busy >= at_peak;
    finding.rule = peak ? at_its_peak : limited_by;
    finding.title = peak ? fmt::format("The kernel is at the hardware's peak: {}", resource->name)
                         : fmt::format("Busiest is {}; no rule knows a defect", resource->name);
    finding.evidence = fmt::format("busy for {:.0f} % of the kernel's time", 100 * busy);
    if (!peak && context.launch.shares.size() > 1) finding.evidence += waits_text(context);
    finding.advice = fmt::format("{}{}.", peak ? "Nothing is to be gained but by " : "What would help is ", resource->less);
    findings.push_back(std::move(finding));
}

} // namespace apod::explain
