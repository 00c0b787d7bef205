#include "ladder/beside.hpp"

#include "model/metric_registry.hpp"
#include "model/roofline.hpp"

#include <algorithm>

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

// Points of what was measured, with what the emulator knows of the traffic; its times have no place there.
std::vector<RooflinePoint> roofline_of(LaunchRecord measured, const LaunchRecord& from, const arch::Gpu& gpu) {
    for (const auto& [name, quantity] : from.metrics) {
        const model::MetricInfo* info = model::find_metric(name);
        if (info != nullptr && info->unit != "ns") measured.metrics.try_emplace(name, quantity);
    }
    return model::roofline(measured, gpu);
}

void put_launch_beside(LaunchRecord& to, const LaunchRecord& from, const arch::Gpu& gpu) {
    to.roofline = roofline_of(to, from, gpu);
    add_counts(to.metrics, from.metrics);
    if (to.limiter.empty()) to.limiter = from.limiter;
    if (to.shares.empty()) to.shares = from.shares;
    if (to.lines.empty()) to.lines = from.lines;
    to.findings = from.findings;
}

void put_rung_beside(RungResult& to, const RungResult& from, const arch::Gpu& gpu) {
    to.predicted_ns = from.time_ns;
    if (to.limiter.empty()) to.limiter = from.limiter;
    add_counts(to.metrics, from.metrics);
    if (!to.pipeline) to.findings = from.findings; // a pipeline's follow from the times of its parts, which were measured
    const std::size_t launches = std::min(to.launches.size(), from.launches.size());
    for (std::size_t i = 0; i < launches; ++i) put_launch_beside(to.launches[i], from.launches[i], gpu);
}

} // namespace

void put_beside(ClimbResult& measured, const ClimbResult& predicted) {
    for (RungResult& rung : measured.rungs) {
        const auto same =
            std::find_if(predicted.rungs.begin(), predicted.rungs.end(), [&](const RungResult& other) { return other.name == rung.name; });
        if (same != predicted.rungs.end() && has_time(rung) && has_time(*same)) put_rung_beside(rung, *same, measured.gpu);
    }
    if (measured.yardstick && predicted.yardstick && !measured.yardstick->error && !predicted.yardstick->error)
        put_rung_beside(*measured.yardstick, *predicted.yardstick, measured.gpu);
}

} // namespace apod::ladder
