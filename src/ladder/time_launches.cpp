#include "ladder/time_launches.hpp"

#include "bench/plausible.hpp"
#include "bench/sampler.hpp"
#include "bench/stream_target.hpp"
#include "device/async.hpp"

#include <algorithm>

namespace apod::ladder {

namespace {

constexpr const char* warm_metric = "gpu__time_duration.sum";
constexpr const char* cold_metric = "apod__time_duration_cold.sum";

} // namespace

Result<Quantity> LaunchTimer::time_one(BoundLaunch& bound, bench::Caches caches) {
    const auto work = [&](device::Stream& stream) { return stream.launch(*bound.kernel, bound.launch); };
    bench::StreamTarget target(stopwatch_, bound.kernel->info().display, work, caches);
    bench::Plan plan;
    plan.warm_up_s = options_.warm_up_s;
    plan.stopping.shortest_s = options_.shortest_s;
    plan.stopping.timeout_s = options_.timeout_s;
    const Result<bench::Measurement> measured = bench::sample_one(target, plan);
    if (!measured) return measured.error();
    return Quantity{measured->time_ns.median, device_.async()->clock_source(), measured->time_ns.noise()};
}

Result<void> LaunchTimer::time(std::vector<BoundLaunch>& launches, std::vector<LaunchRecord>& records) {
    device::Async* async = device_.async();
    if (!options_.on || async == nullptr || async->clock_source() != Source::measured) return {};
    if (stopwatch_ == nullptr) {
        Result<std::shared_ptr<bench::Stopwatch>> made = bench::Stopwatch::make(device_);
        if (!made) return made.error();
        stopwatch_ = *std::move(made);
    }
    for (std::size_t i = 0; i < launches.size() && i < records.size(); ++i) {
        LaunchRecord& record = records[i];
        if (record.time_ns.value > options_.longest_s * 1e9) continue;
        const Result<Quantity> warm = time_one(launches[i], bench::Caches::hot);
        if (!warm) return warm.error();
        const Result<Quantity> cold = time_one(launches[i], bench::Caches::cold);
        if (!cold) return cold.error();
        // Of a cold run all bytes come from DRAM; a warm one may find them in L2, and its floor knows that.
        const double peak_gbs = device_.gpu().memory.peak_gbs;
        const double from_dram_ns = peak_gbs > 0 ? static_cast<double>(launches[i].launch.useful_bytes) / peak_gbs : 0;
        const double cold_floor_ns = std::max(record.floor_ns.value, from_dram_ns);
        if (const Result<void> possible = bench::refuse_impossible(record.kernel, cold->value, cold_floor_ns); !possible) return possible;
        record.time_ns = *warm;
        record.metrics[warm_metric] = *warm;
        record.metrics[cold_metric] = *cold;
    }
    return {};
}

} // namespace apod::ladder
