// What launches cost, and how fine the clock of events is.
#include "peaks/bench_kernel.hpp"

#include "bench/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
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

using Queue = std::function<Result<void>(device::Stream&)>;

// Work between two events, all of it queued before the first of it starts. Sorted times, in ns.
Result<std::vector<double>> between_events(const Bench& bench, device::Stream& stream, const Queue& work, std::size_t samples) {
    constexpr double gate_timeout_ns = 1e9;
    Result<std::unique_ptr<device::Gate>> gate = bench.async().make_gate(gate_timeout_ns);
    if (!gate) return gate.error();
    Result<std::unique_ptr<device::Event>> begin = bench.async().make_event();
    if (!begin) return begin.error();
    Result<std::unique_ptr<device::Event>> end = bench.async().make_event();
    if (!end) return end.error();
    const auto queue = [&]() -> Result<void> {
        if (const Result<void> done = stream.record(**begin); !done) return done;
        if (const Result<void> done = work(stream); !done) return done;
        return stream.record(**end);
    };
    std::vector<double> times;
    for (std::size_t i = 0; i < samples; ++i) {
        if (const Result<bool> closed = (*gate)->close(stream); !closed) return closed.error();
        const Result<void> queued = queue();
        (*gate)->open();
        if (!queued) return queued.error();
        if (const Result<void> done = stream.synchronize(); !done) return done.error();
        const Result<double> took = bench.async().elapsed_ns(**begin, **end);
        if (!took) return took.error();
        times.push_back(*took);
    }
    std::sort(times.begin(), times.end());
    return times;
}

// One graph of many kernels against one of a few: what each more of them takes.
Result<void> measure_graph(const Bench& bench, device::Kernel& empty, device::Stream& stream, Peaks& peaks) {
    constexpr std::size_t samples = 51;
    constexpr std::uint32_t few = 2;
    const std::uint32_t many = std::max(bench.options().launches, few + 1);
    std::vector<double> times;
    for (const std::uint32_t count : {few, many}) {
        const std::vector<device::GraphKernel> chain(count, {&empty, Bench::shape(1, 32, {})});
        Result<std::unique_ptr<device::Graph>> graph = bench.async().make_graph(chain);
        if (!graph) return graph.error();
        const auto took = between_events(
            bench, stream, [&](device::Stream& on) { return on.launch(**graph); }, samples);
        if (!took) return took.error();
        times.push_back(bench::median(*took));
    }
    const double each = (times[1] - times[0]) / (many - few);
    peaks.figures.push_back(
        figure("launch.graph", fmt::format("each of {} kernels in a graph", many), {each, bench.async().clock_source(), {}}));
    return {};
}

Result<void> measure_empty(const Bench& bench, device::Kernel& empty, device::Stream& stream, Peaks& peaks) {
    constexpr std::size_t samples = 201;
    const auto nothing = between_events(
        bench, stream, [](device::Stream&) { return Result<void>(); }, samples);
    if (!nothing) return nothing.error();
    const device::Launch launch = Bench::shape(1, 32, {});
    const auto one = between_events(
        bench, stream, [&](device::Stream& on) { return on.launch(empty, launch); }, samples);
    if (!one) return one.error();
    const double pair = bench::median(*nothing);
    Quantity value = median_of(*one, bench.async().clock_source());
    value.value -= pair;
    peaks.figures.push_back(
        figure("launch.empty", "an empty kernel between two events", value, fmt::format("less the {:.0f} ns of the events alone", pair)));
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
    if (step == 0) {
        peaks.notes.emplace_back("the step of event times was not seen: all of them were alike");
        return {};
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
    if (const Result<void> done = measure_graph(bench, **empty, **stream, peaks); !done) return done;
    if (const Result<void> done = measure_empty(bench, **empty, **stream, peaks); !done) return done;
    return measure_resolution(bench, **empty, **stream, peaks);
}

} // namespace apod::peaks
