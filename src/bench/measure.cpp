#include "apod/measure.hpp"

#include "base/units.hpp"
#include "bench/plausible.hpp"
#include "bench/program_target.hpp"
#include "bench/sampler.hpp"
#include "bench/stream_target.hpp"
#include "device/cuda/cuda.hpp"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <utility>

namespace apod {
namespace {

// Less than an empty kernel takes on any GPU: nothing was on the stream.
constexpr double nothing_ns = 300;

[[noreturn]] void fail(const Diagnostic& diagnostic) { throw MeasureError(to_text(diagnostic)); }

template<class T> T must(Result<T> result) {
    if (!result) fail(result.error());
    return *std::move(result);
}

bench::Plan plan_of(const MeasureOptions& options) {
    bench::Plan plan;
    plan.warm_up_s = options.warm_up_s;
    plan.stopping.relative_deviation = options.deviation;
    plan.stopping.shortest_s = options.shortest_s;
    plan.stopping.timeout_s = options.timeout_s;
    return plan;
}

Timing timing_of(const bench::Measurement& measured, Source source, const MeasureOptions& options) {
    if (const Result<void> possible = bench::refuse_impossible(measured.name, measured.time_ns.median, options.floor_ns); !possible)
        fail(possible.error());
    Timing timing;
    timing.name = measured.name;
    timing.source = source;
    const bench::Summary& summary = measured.time_ns;
    timing.median_ns = summary.median;
    timing.low_ns = summary.median_interval.low;
    timing.high_ns = summary.median_interval.high;
    timing.confidence = summary.median_interval.confidence;
    timing.minimum_ns = summary.minimum;
    timing.lower_quartile_ns = summary.lower_quartile;
    timing.upper_quartile_ns = summary.upper_quartile;
    timing.deviation = summary.relative_deviation;
    timing.first_run_ns = measured.first_run_ns;
    timing.clock_mhz = measured.clock_mhz;
    for (const bench::Sample& sample : measured.samples) timing.samples.push_back({sample.time_ns, sample.runs, sample.clock_mhz});
    timing.dropped = measured.dropped;
    timing.stopped_by = measured.stop.rule;
    timing.stop_reason = measured.stop.reason;
    timing.notes = measured.notes;
    return timing;
}

// A device and the targets on it, which must go before it.
class OnGpu {
public:
    explicit OnGpu(const MeasureOptions& options) :
        options_(options), device_(must(device::open_cuda(options.device))), stopwatch_(must(bench::Stopwatch::make(*device_))) {}

    std::unique_ptr<bench::StreamTarget> target(const std::string& name, const GpuWork& work) {
        const auto queue = [work](device::Stream& stream) -> Result<void> {
            // An exception must not pass a closed gate.
            try {
                work(reinterpret_cast<void*>(stream.handle()));
            } catch (const std::exception& thrown) {
                return check_failed(fmt::format("the work threw: {}", thrown.what()));
            }
            return {};
        };
        return std::make_unique<bench::StreamTarget>(stopwatch_, name, queue, options_.cold ? bench::Caches::cold : bench::Caches::hot);
    }

    Timing timing(const bench::Measurement& measured) {
        const Source source = device_->async()->clock_source();
        if (source == Source::measured && measured.time_ns.median < nothing_ns)
            fail(check_failed(fmt::format("{}: there is nothing on the timed stream", measured.name),
                              "launch on the stream that is handed over, and check the launch's error (cudaGetLastError)"));
        return timing_of(measured, source, options_);
    }

private:
    MeasureOptions options_;
    std::unique_ptr<device::Device> device_;
    std::shared_ptr<bench::Stopwatch> stopwatch_;
};

template<class ToTiming> Comparison comparison_of(const bench::Comparison& compared, const ToTiming& to_timing) {
    Comparison comparison;
    comparison.base = to_timing(compared.base);
    comparison.other = to_timing(compared.other);
    comparison.verdict = bench::to_text(compared.judgement.verdict);
    comparison.ratio = compared.judgement.ratio;
    comparison.ratio_low = compared.judgement.ratio_interval.low;
    comparison.ratio_high = compared.judgement.ratio_interval.high;
    comparison.reason = compared.judgement.reason;
    return comparison;
}

bench::VerdictOptions verdict_options(const MeasureOptions& options) {
    bench::VerdictOptions verdict;
    verdict.smallest_effect = options.smallest_effect;
    return verdict;
}

bench::Plan program_plan(const MeasureOptions& options) {
    bench::Plan plan = plan_of(options);
    plan.most_runs = 1;
    return plan;
}

} // namespace

Timing measure(const GpuWork& work, const MeasureOptions& options) {
    OnGpu gpu(options);
    const auto target = gpu.target(options.name, work);
    return gpu.timing(must(bench::sample_one(*target, plan_of(options))));
}

Comparison compare(const GpuWork& base, const GpuWork& other, const MeasureOptions& options) {
    OnGpu gpu(options);
    const auto first = gpu.target(options.name + ", base", base);
    const auto second = gpu.target(options.name + ", other", other);
    const bench::Comparison compared = must(bench::compare(*first, *second, plan_of(options), verdict_options(options)));
    return comparison_of(compared, [&](const bench::Measurement& measured) { return gpu.timing(measured); });
}

Timing measure_program(const std::vector<std::string>& arguments, const MeasureOptions& options) {
    bench::ProgramTarget target(arguments);
    return timing_of(must(bench::sample_one(target, program_plan(options))), Source::measured, options);
}

Comparison compare_programs(const std::vector<std::string>& base, const std::vector<std::string>& other, const MeasureOptions& options) {
    bench::ProgramTarget first(base);
    bench::ProgramTarget second(other);
    const bench::Comparison compared = must(bench::compare(first, second, program_plan(options), verdict_options(options)));
    return comparison_of(compared, [&](const bench::Measurement& measured) { return timing_of(measured, Source::measured, options); });
}

std::string to_text(const Timing& timing) {
    const double noise = timing.median_ns > 0 ? (timing.high_ns - timing.low_ns) / 2 / timing.median_ns : 0;
    std::string text = fmt::format("{}: {} +- {} ({}, {} samples", timing.name, format_time_ns(timing.median_ns), format_percent(noise, 2),
                                   format_percent(timing.confidence, 0), timing.samples.size());
    if (timing.clock_mhz > 0) text += fmt::format(", {:.0f} MHz", timing.clock_mhz);
    text += fmt::format("; {}{})", timing.stopped_by, timing.source == Source::predicted ? "; predicted" : "");
    for (const std::string& note : timing.notes) text += "\n  " + note;
    return text;
}

std::string to_text(const Comparison& comparison) {
    return to_text(comparison.base) + "\n" + to_text(comparison.other) + "\n" +
           fmt::format("{}: {}", comparison.verdict, comparison.reason);
}

} // namespace apod
