#include "peaks/peaks.hpp"

#include "peaks/bench_kernel.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace apod::peaks {

namespace {

// A figure may pass its bound by what the driver's own clocks are rounded by.
constexpr double rounding = 1.002;

Result<void> refuse_impossible(const Peaks& peaks) {
    for (const Figure& figure : peaks.figures) {
        const std::optional<double> share = figure.share();
        if (!share || *share <= rounding || figure.value.source != Source::measured) continue;
        return check_failed(fmt::format("{}: {:.4g} {} is more than the {:.4g} that {} allows: this measurement cannot be right",
                                        figure.what, figure.value.value, figure.unit, *figure.theoretical, figure.formula),
                            "please report it with the output of apod devices --json -");
    }
    return {};
}

} // namespace

Result<Peaks> measure_peaks(device::Device& device, const device::DeviceFacts& facts, const PeakOptions& options) {
    Result<Bench> bench = Bench::make(device, facts, options);
    if (!bench) return bench.error();
    Peaks peaks;
    peaks.device = device.id();
    peaks.name = facts.name;
    peaks.uuid = facts.uuid;
    peaks.driver = facts.driver_version;
    peaks.cuda_version = facts.cuda_version;
    peaks.measured_at = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    for (const auto measure : {measure_bandwidth, measure_rates, measure_latencies, measure_launches, measure_link})
        if (const Result<void> done = measure(*bench, peaks); !done) return done.error();
    if (const Result<void> possible = refuse_impossible(peaks); !possible) return possible.error();
    return peaks;
}

} // namespace apod::peaks
