#include "explain/rules/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace apod::explain {

namespace {

struct Waited {
    std::string_view metric;
    const char* what;
    const char* advice;
};

constexpr const char* more_under_way =
    "Have more on the way at once: more threads, several independent loads a thread (unroll, four elements each, float4), smaller blocks "
    "where barriers make them wait together.";

constexpr Waited kinds[] = {
    {model::metric::wait_memory, "loads of memory", more_under_way},
    {model::metric::wait_shared, "loads of shared memory and shuffles",
     "Have several independent ones under way (two sums instead of one, unroll), keep in registers what a thread uses again, and have more "
     "warps on each SM."},
    {model::metric::wait_atomics, "atomics",
     "Do not use the result of an atomic where it is not needed (it is then a reduction, for which nothing waits); add up within the warp "
     "or "
     "block first and update once; floats in shared memory are a loop of compare-and-swap: add them up by shuffles."},
    {model::metric::wait_barriers, "barriers",
     "Have fewer barriers: reduce within a warp by shuffles, which need none; smaller blocks wait for fewer warps, and more of them are "
     "out "
     "of step."},
    {model::metric::wait_special, "divisions, special functions and conversions",
     "Take divisions and functions out of the loop or off the path from one step to the next: a product with the reciprocal, __fdividef, "
     "__expf; have more warps or independent elements to go on with meanwhile."}};

const Waited* most_waited(const MetricMap& metrics) {
    const Waited* most = nullptr;
    for (const Waited& kind : kinds)
        if (model::value_or_zero(metrics, kind.metric) > (most != nullptr ? model::value_or_zero(metrics, most->metric) : 0)) most = &kind;
    return most;
}

} // namespace

double all_waits(const MetricMap& metrics) {
    double all = 0;
    for (const Waited& kind : kinds) all += model::value_or_zero(metrics, kind.metric);
    return all;
}

std::string waits_text(const Context& context) {
    std::vector<std::pair<double, const Waited*>> sorted;
    for (const Waited& kind : kinds) sorted.emplace_back(context.metric(kind.metric), &kind);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    const double all = all_waits(context.launch.metrics);
    std::string text;
    for (const auto& [clk, kind] : sorted) {
        if (all <= 0 || clk < 0.1 * all) break;
        text += fmt::format("{} {} ({:.0f} %)", text.empty() ? "; what a warp waits for by itself:" : ",", kind->what, 100 * clk / all);
    }
    return text;
}

void place_of_waits(const Context& context, Finding& finding) {
    const Waited* most = most_waited(context.launch.metrics);
    if (most == nullptr) return;
    place(finding, worst_line(context.launch, [most](const MetricMap& metrics) { return model::value_or_zero(metrics, most->metric); }));
}

std::string waits_advice(const Context& context) {
    const Waited* most = most_waited(context.launch.metrics);
    return most != nullptr ? most->advice : more_under_way;
}

} // namespace apod::explain
