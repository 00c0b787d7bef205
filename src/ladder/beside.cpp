#include "ladder/beside.hpp"

#include "explain/explain.hpp"
#include "ladder/summary.hpp"
#include "model/predict/limiter.hpp"

#include <algorithm>
#include <utility>

namespace apod::ladder {

namespace {

bool has_time(const RungResult& rung) {
    return !rung.error && !rung.launches.empty() &&
           (rung.verification == Verification::correct || rung.verification == Verification::sampled);
}

// Times are what was measured, even where the emulator has one for a metric that the GPU was not asked for.
void add_counts(MetricMap& to, const MetricMap& from) {
    for (const auto& [name, quantity] : from)
        if (quantity.source == Source::counted) to.try_emplace(name, quantity);
}

void put_launch_beside(LaunchRecord& to, const LaunchRecord& from) {
    add_counts(to.metrics, from.metrics);
    if (to.limiter.empty()) to.limiter = from.limiter;
    if (to.shares.empty()) to.shares = from.shares;
    if (to.lines.empty()) to.lines = from.lines;
    to.findings = from.findings;
}

// The rung as src/bench would have measured it.
RungResult without_events(RungResult rung, const arch::Gpu& gpu) {
    if (rung.pipeline) return rung; // the time is of the whole, not of its kernels
    const auto kernels = rung.metrics.find("gpu__time_duration.sum");
    if (kernels != rung.metrics.end()) rung.time_ns = kernels->second;
    double longest = -1;
    for (LaunchRecord& launch : rung.launches) {
        launch = model::without_events(std::move(launch));
        launch.findings = explain::explain(launch, gpu);
        if (launch.time_ns.value <= longest) continue;
        longest = launch.time_ns.value;
        rung.limiter = launch.limiter;
    }
    collect_findings(rung);
    return rung;
}

void put_rung_beside(RungResult& to, const RungResult& predicted, const arch::Gpu& gpu) {
    const RungResult from = without_events(predicted, gpu);
    to.predicted_ns = from.time_ns;
    if (to.limiter.empty()) to.limiter = from.limiter;
    add_counts(to.metrics, from.metrics);
    if (!to.pipeline) to.findings = from.findings; // a pipeline's follow from the times of its parts, which were measured
    const std::size_t launches = std::min(to.launches.size(), from.launches.size());
    for (std::size_t i = 0; i < launches; ++i) put_launch_beside(to.launches[i], from.launches[i]);
}

} // namespace

void put_beside(ClimbResult& measured, const ClimbResult& predicted, const arch::Gpu& gpu) {
    for (RungResult& rung : measured.rungs) {
        const auto same =
            std::find_if(predicted.rungs.begin(), predicted.rungs.end(), [&](const RungResult& other) { return other.name == rung.name; });
        if (same != predicted.rungs.end() && has_time(rung) && has_time(*same)) put_rung_beside(rung, *same, gpu);
    }
    if (measured.yardstick && predicted.yardstick && !measured.yardstick->error && !predicted.yardstick->error)
        put_rung_beside(*measured.yardstick, *predicted.yardstick, gpu);
}

} // namespace apod::ladder
