// What launches cost, and how fine the clock of events is.
#include "peaks/bench_kernel.hpp"

#include "bench/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace apod::peaks {

namespace {

double host_ns() { return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Figure figure(const char* id, std::string what, const Quantity& value, std::string note = {}) {
    return {id, "launch", std::move(what), "ns", value, std::nullopt, {}, std::move(note)};
}

Quantity median_of(std::vector<double> values, Source source) {
    const bench::Summary summary = bench::summarise(values);
    return {summary.median, source, summary.noise()};
}

// Launches that follow each other without waiting: what the host takes for each, until the last is done.
Result<void> measure_stream(const Bench& bench, device::Kernel& empty, device::Stream& stream, Peaks& peaks) {
    constexpr std::size_t trials = 20;
    const std::uint32_t launches = std::max(bench.options().launches, 2u);
    const device::Launch launch = Bench::shape(1, 32, {});
    std::vector<double> each;
    std::vector<double> round_trip;
    for (std::size_t trial = 0; trial <= trials; ++trial) {
        double before = host_ns();
        if (const Result<void> queued = stream.launch(empty, launch); !queued) return queued;
        if (const Result<void> done = stream.synchronize(); !done) return done;
        const double waited = host_ns() - before;
        before = host_ns();
        for (std::uint32_t i = 0; i < launches; ++i)
            if (const Result<void> queued = stream.launch(empty, launch); !queued) return queued;
        if (const Result<void> done = stream.synchronize(); !done) return done;
        if (trial == 0) continue;
        each.push_back((host_ns() - before) / launches);
        round_trip.push_back(waited);
    }
    // The host's clock runs whoever the driver is, but what it times of an emulated one is the emulator.
    const Source source = bench.async().clock_source();
    peaks.figures.push_back(
        figure("launch.stream", fmt::format("each of {} launches in a stream", launches), median_of(each, source), "by the host's clock"));
    peaks.figures.push_back(
        figure("launch.round_trip", "an empty kernel launched and waited for", median_of(round_trip, source), "by the host's clock"));
    return {};
}

Result<void> measure_graph(const Bench& bench, device::Kernel& empty, Peaks& peaks) {
    const std::uint32_t launches = std::max(bench.options().launches, 2u);
    const std::vector<device::GraphKernel> chain(launches, {&empty, Bench::shape(1, 32, {})});
    Result<std::unique_ptr<device::Graph>> graph = bench.async().make_graph(chain);
    if (!graph) return graph.error();
    const std::string what = fmt::format("each of {} kernels in a graph", launches);
    const Result<bench::Measurement> measured = bench.time(
        what, [&](device::Stream& stream) { return stream.launch(**graph); }, 1);
    if (!measured) return measured.error();
    Quantity value = bench.time_of(*measured);
    value.value /= launches;
    peaks.figures.push_back(figure("launch.graph", what, value));
    return {};
}

Result<void> measure_empty(const Bench& bench, device::Kernel& empty, Peaks& peaks) {
    const device::Launch launch = Bench::shape(1, 32, {});
    const std::string what = "an empty kernel between two events";
    const Result<bench::Measurement> measured = bench.time(
        what, [&](device::Stream& stream) { return stream.launch(empty, launch); }, 1);
    if (!measured) return measured.error();
    peaks.figures.push_back(figure("launch.empty", what, bench.time_of(*measured), "less than what the two events alone take"));
    return {};
}

// The smallest difference between any two times of many pairs of events.
Result<void> measure_resolution(const Bench& bench, device::Kernel& empty, device::Stream& stream, Peaks& peaks) {
    constexpr std::size_t pairs = 200;
    std::vector<std::unique_ptr<device::Event>> events;
    for (std::size_t i = 0; i <= pairs; ++i) {
        Result<std::unique_ptr<device::Event>> event = bench.async().make_event();
        if (!event) return event.error();
        events.push_back(*std::move(event));
        if (const Result<void> recorded = stream.record(*events.back()); !recorded) return recorded;
        if (const Result<void> queued = stream.launch(empty, Bench::shape(1 + i % 7 * 50, 128, {})); !queued) return queued;
    }
    if (const Result<void> done = stream.synchronize(); !done) return done;
    std::vector<double> times;
    for (std::size_t i = 0; i < pairs; ++i) {
        const Result<double> took = bench.async().elapsed_ns(*events[i], *events[i + 1]);
        if (!took) return took.error();
        times.push_back(*took);
    }
    std::sort(times.begin(), times.end());
    double step = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const double difference = times[i] - times[i - 1];
        if (difference > 0.5 && (step == 0 || difference < step)) step = difference; // below: rounding of the driver's floats
    }
    peaks.figures.push_back(figure("launch.event_step", "smallest step between times of events", {step, bench.async().clock_source(), {}},
                                   fmt::format("documented: {:.0f} ns", bench.async().clock_step_ns())));
    return {};
}

} // namespace

Result<void> measure_launches(const Bench& bench, Peaks& peaks) {
    bench.tell("launches");
    Result<std::shared_ptr<device::Kernel>> empty = bench.kernel("apod_empty");
    if (!empty) return empty.error();
    Result<std::unique_ptr<device::Stream>> stream = bench.async().make_stream();
    if (!stream) return stream.error();
    if (const Result<void> done = measure_stream(bench, **empty, **stream, peaks); !done) return done;
    if (const Result<void> done = measure_graph(bench, **empty, peaks); !done) return done;
    if (const Result<void> done = measure_empty(bench, **empty, peaks); !done) return done;
    return measure_resolution(bench, **empty, **stream, peaks);
}

} // namespace apod::peaks
