#include "bench/stream_target.hpp"

#include "base/units.hpp"
#include "bench/helper_kernels.hpp"
#include "bench/launch_arguments.hpp"
#include "bench/statistics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace apod::bench {
namespace {

constexpr double gate_timeout_ns = 1e9;
constexpr std::size_t calibrations = 31;
constexpr std::size_t most_events = 4;
constexpr std::uint32_t empty_runs = 100;
constexpr double flush_factor = 3;         // of L2: what was there must go whatever the replacement policy is
constexpr double ask_again_s = 0.02;       // NVML takes longer to answer than a short sample
constexpr double other_streams_ns = 200e3; // a device that is busy for longer than this after its stream is done is busy with another

double host_ns() { return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

} // namespace

StreamTarget::~StreamTarget() {
    if (flush_buffer_ != 0) (void)device_.free(flush_buffer_);
}

Result<std::unique_ptr<StreamTarget>> StreamTarget::make(device::Device& device, std::string name, Work work, Caches caches) {
    device::Async* async = device.async();
    if (async == nullptr)
        return unavailable(fmt::format("device {} has no clock to time with", device.id()), "take a GPU, e.g. --device cuda:0");
    std::unique_ptr<StreamTarget> target(new StreamTarget(device, *async));
    target->name_ = std::move(name);
    target->work_ = std::move(work);
    if (const Result<void> prepared = target->prepare(caches); !prepared) return prepared.error();
    return target;
}

Result<void> StreamTarget::prepare(Caches caches) {
    predicted_ = async_.clock_source() == Source::predicted;
    if (predicted_) most_runs_ = 1; // each is predicted by itself: more of them tell nothing
    Result<std::unique_ptr<device::Stream>> stream = async_.make_stream();
    if (!stream) return stream.error();
    stream_ = *std::move(stream);
    for (std::size_t i = 0; i < most_events; ++i) {
        Result<std::unique_ptr<device::Event>> made = async_.make_event();
        if (!made) return made.error();
        events_.push_back(*std::move(made));
    }
    Result<std::unique_ptr<device::Gate>> gate = async_.make_gate(gate_timeout_ns);
    if (!gate) return gate.error();
    gate_ = *std::move(gate);
    Result<std::shared_ptr<device::Code>> code = device_.load(std::string(helper_kernels()), "apod's timing kernels");
    if (!code) return code.error();
    code_ = *std::move(code);
    Result<std::unique_ptr<ClockStamps>> stamps = ClockStamps::make(device_, async_, *code_);
    if (!stamps) return stamps.error();
    stamps_ = *std::move(stamps);
    if (caches == Caches::cold) {
        if (const Result<void> ready = prepare_flush(); !ready) return ready;
    }
    if (const Result<void> measured = measure_event_pair(); !measured) return measured;
    return predicted_ || !use_gate_ ? Result<void>() : measure_launch();
}

Result<void> StreamTarget::prepare_flush() {
    most_runs_ = 1;
    if (predicted_) {
        notes_.emplace_back("the driver is an emulated one: L2 is not flushed, its times are predicted");
        return {};
    }
    Result<std::shared_ptr<device::Kernel>> kernel = code_->kernel("apod_flush");
    if (!kernel) return kernel.error();
    flush_kernel_ = *std::move(kernel);
    const std::uint64_t l2 = std::max<std::uint64_t>(device_.gpu().caches.l2_bytes, 1 << 20);
    flush_bytes_ = static_cast<std::uint64_t>(flush_factor * static_cast<double>(l2)) / 16 * 16;
    Result<device::Address> buffer = device_.allocate(flush_bytes_, "L2 flush");
    if (!buffer) return buffer.error();
    flush_buffer_ = *buffer;
    return device_.fill(flush_buffer_, std::byte{0}, flush_bytes_);
}

// With the gate and a stamp before it, as a sample has them.
Result<void> StreamTarget::measure_event_pair() {
    const Work nothing[] = {[](device::Stream&) { return Result<void>(); }};
    std::vector<double> times;
    for (std::size_t i = 0; i < calibrations; ++i) {
        bool held_back = true;
        const Result<std::vector<double>> took = timed(nothing, held_back);
        if (!took) return took.error();
        times.push_back(took->front());
        if (use_gate_ && !predicted_ && !held_back) give_up_the_gate(); // even nothing cannot be held back: CUDA_LAUNCH_BLOCKING
    }
    event_pair_ns_ = std::max(0.0, median(std::move(times)));
    return {};
}

// What an empty kernel takes between two events more than one more of them in a row.
Result<void> StreamTarget::measure_launch() {
    const Result<std::shared_ptr<device::Kernel>> kernel = code_->kernel("apod_empty");
    if (!kernel) return kernel.error();
    const Work empty = [&](device::Stream& stream) { return stream.launch(**kernel, device::Launch()); };
    for (int i = 0; i < 2; ++i) { // the first launch loads it
        if (const Result<void> queued = empty(*stream_); !queued) return queued;
        if (const Result<void> done = stream_->synchronize(); !done) return done;
    }
    const Result<std::unique_ptr<RunsInARow>> row = RunsInARow::make(*stream_, empty, empty_runs, true);
    if (!row) return row.error();
    const Work parts[] = {empty, [&](device::Stream& stream) { return (*row)->queue(stream, 0); },
                          [&](device::Stream& stream) { return (*row)->queue(stream, 1); }};
    std::vector<double> alone, in_a_row;
    for (std::size_t i = 0; i < calibrations; ++i) {
        bool held_back = true;
        const Result<std::vector<double>> took = timed(parts, held_back);
        if (!took) return took.error();
        alone.push_back((*took)[0]);
        in_a_row.push_back(((*took)[2] - (*took)[1]) / empty_runs);
    }
    launch_ns_ = std::max(0.0, median(std::move(alone)) - event_pair_ns_ - median(std::move(in_a_row)));
    return {};
}

Result<double> StreamTarget::first_run() {
    const double before = host_ns();
    if (const Result<void> queued = work_(*stream_); !queued) return queued.error();
    if (const Result<void> done = stream_->synchronize(); !done) return done.error();
    const double took = host_ns() - before;
    if (const Result<void> noticed = notice_other_streams(); !noticed) return noticed.error();
    return took;
}

// The stream is done: if the device is not, the work is elsewhere and its time would be missed.
Result<void> StreamTarget::notice_other_streams() {
    std::size_t busy = 0;
    constexpr std::size_t trials = 3;
    for (std::size_t i = 0; i < trials; ++i) {
        if (const Result<void> queued = work_(*stream_); !queued) return queued;
        if (const Result<void> done = stream_->synchronize(); !done) return done;
        const double before = host_ns();
        if (const Result<void> done = async_.synchronize(); !done) return done;
        busy += host_ns() - before > other_streams_ns ? 1 : 0;
    }
    if (busy == trials)
        notes_.emplace_back("the device is still busy when the timed stream is done: part of the work runs on another stream and is in no "
                            "figure; launch it on the stream that is handed over");
    return {};
}

Result<void> StreamTarget::flush() {
    if (flush_buffer_ == 0) return {};
    if (const Result<void> reset = async_.reset_persisting_l2(); !reset) return reset;
    device::Launch launch;
    launch.grid = {device_.gpu().sm_count * 2, 1, 1};
    launch.block = {512, 1, 1};
    launch.parameters = pack_arguments({flush_buffer_, flush_bytes_ / 16, 1});
    return stream_->launch(*flush_kernel_, launch);
}

Result<std::vector<double>> StreamTarget::timed(std::span<const Work> parts, bool& held_back) {
    held_back = false;
    if (use_gate_) {
        const Result<bool> closed = gate_->close(*stream_);
        if (!closed) return closed.error();
        held_back = *closed;
    }
    const auto queue = [&]() -> Result<void> {
        if (const Result<void> flushed = flush(); !flushed) return flushed;
        if (const Result<void> stamped = stamps_->before(*stream_); !stamped) return stamped;
        if (const Result<void> recorded = stream_->record(*events_[0]); !recorded) return recorded;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (const Result<void> queued = parts[i](*stream_); !queued) return queued;
            if (const Result<void> recorded = stream_->record(*events_[i + 1]); !recorded) return recorded;
        }
        return stamps_->after(*stream_);
    };
    const Result<void> queued = queue();
    if (held_back) gate_->open(); // whatever happened: nothing may wait for ever
    if (!queued) return queued.error();
    if (const Result<void> done = stream_->synchronize(); !done) return done.error();
    if (held_back && gate_->timed_out()) held_back = false;
    std::vector<double> took;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Result<double> one = async_.elapsed_ns(*events_[i], *events_[i + 1]);
        if (!one) return one.error();
        took.push_back(*one);
    }
    return took;
}

// The work waits for the device itself: holding it back would only time the gate.
void StreamTarget::give_up_the_gate() {
    use_gate_ = false;
    notes_.emplace_back("the work could not be held back until all of it was queued (it waits for the device, or the driver launches one "
                        "kernel at a time): the host's pace is in these times");
}

Result<Sample> StreamTarget::single() {
    Sample sample;
    const bool gated = use_gate_ && !predicted_;
    const Work parts[] = {work_};
    Result<std::vector<double>> took = timed(parts, sample.held_back);
    if (took && gated && !sample.held_back) {
        give_up_the_gate();
        took = timed(parts, sample.held_back);
    }
    if (!took) return took.error();
    captures_ = captures_ || sample.held_back;
    sample.time_ns = std::max(0.0, took->front() - event_pair_ns_ - launch_ns_);
    return sample;
}

Result<bool> StreamTarget::in_a_row(const Work& work, std::uint32_t runs, Sample& sample) {
    if (row_ == nullptr || row_->runs() != runs) {
        Result<std::unique_ptr<RunsInARow>> row = RunsInARow::make(*stream_, work, runs, captures_);
        if (!row && captures_) {
            captures_ = false;
            notes_.push_back("the work cannot be captured into a graph (" + row.error().message +
                             "): its runs are launched one by one, and what the GPU needs from one launch to the next is in the time");
            row = RunsInARow::make(*stream_, work, runs, false);
        }
        if (!row) return row.error();
        row_ = *std::move(row);
    }
    const Work parts[] = {[this](device::Stream& stream) { return row_->queue(stream, 0); },
                          [this](device::Stream& stream) { return row_->queue(stream, 1); }};
    const Result<std::vector<double>> took = timed(parts, sample.held_back);
    if (!took) return took.error();
    sample.runs = runs;
    sample.time_ns = std::max(0.0, (*took)[1] - (*took)[0]) / runs;
    return sample.held_back || !use_gate_;
}

Result<Sample> StreamTarget::sample(std::uint32_t runs) {
    Sample sample;
    runs = std::clamp(runs, 1U, most_runs_);
    while (runs > 1) {
        const Result<bool> taken = in_a_row(work_, runs, sample);
        if (!taken) return taken.error();
        if (*taken) break;
        runs = most_runs_ = runs / 2; // the stream takes only so many launches behind the gate
    }
    if (runs == 1) {
        Result<Sample> alone = single();
        if (!alone) return alone.error();
        sample = *alone;
    }
    sample.clock_mhz = predicted_ ? 0 : stamps_->mhz();
    const Result<bool> slowed = throttled();
    if (!slowed) return slowed.error();
    sample.throttled = *slowed;
    return sample;
}

Result<bool> StreamTarget::throttled() {
    const double now_s = host_ns() * 1e-9;
    if (last_asked_s_ >= 0 && now_s - last_asked_s_ < ask_again_s) return last_throttled_;
    const Result<device::ClockState> state = async_.clocks();
    if (!state) return state.error();
    last_asked_s_ = now_s;
    const std::vector<std::string> names = device::throttle_names(state->throttle_reasons.value_or(0));
    for (const std::string& name : names)
        if (std::find(throttle_seen_.begin(), throttle_seen_.end(), name) == throttle_seen_.end()) throttle_seen_.push_back(name);
    last_throttled_ = !names.empty();
    return last_throttled_;
}

std::vector<std::string> StreamTarget::notes() const {
    std::vector<std::string> notes = notes_;
    if (!throttle_seen_.empty()) notes.push_back(fmt::format("the clock was held down meanwhile by: {}", fmt::join(throttle_seen_, ", ")));
    return notes;
}

} // namespace apod::bench
