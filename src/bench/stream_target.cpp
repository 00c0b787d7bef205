#include "bench/stream_target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace apod::bench {
namespace {

// How fast short work is with warm caches depends, by some 5 %, on how its data came to lie in L2, and that stays as it is until something
// else is written: reading alone does not change it. So L2 is overwritten and filled again after so many samples, which are then of many
// such states and not of one.
constexpr std::uint32_t samples_a_visit = 4;
constexpr double other_streams_ns = 200e3; // a device that is busy for longer than this after its stream is done is busy with another

double host_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

} // namespace

StreamTarget::StreamTarget(std::shared_ptr<Stopwatch> stopwatch, std::string name, Work work, Caches caches) :
    stopwatch_(std::move(stopwatch)), name_(std::move(name)), work_(std::move(work)), caches_(caches) {
    if (caches == Caches::cold || stopwatch_->predicted()) most_runs_ = 1; // predicted: each by itself, more of them tell nothing
    if (caches == Caches::cold && stopwatch_->predicted())
        notes_.emplace_back("the driver is an emulated one: L2 is not flushed, its times are predicted");
    if (!stopwatch_->can_hold()) give_up_the_gate();
}

Result<std::unique_ptr<StreamTarget>> StreamTarget::make(device::Device& device, std::string name, Work work, Caches caches) {
    Result<std::shared_ptr<Stopwatch>> stopwatch = Stopwatch::make(device);
    if (!stopwatch) return stopwatch.error();
    return std::make_unique<StreamTarget>(*std::move(stopwatch), std::move(name), std::move(work), caches);
}

Result<double> StreamTarget::first_run() {
    const double before = host_s();
    if (const Result<void> queued = work_(stopwatch_->stream()); !queued) return queued.error();
    if (const Result<void> done = stopwatch_->stream().synchronize(); !done) return done.error();
    const double took_ns = (host_s() - before) * 1e9;
    if (const Result<void> noticed = notice_other_streams(); !noticed) return noticed.error();
    return took_ns;
}

// The stream is done: if the device is not, the work is elsewhere and its time would be missed.
Result<void> StreamTarget::notice_other_streams() {
    std::size_t busy = 0;
    constexpr std::size_t trials = 3;
    for (std::size_t i = 0; i < trials; ++i) {
        if (const Result<void> queued = work_(stopwatch_->stream()); !queued) return queued;
        if (const Result<void> done = stopwatch_->stream().synchronize(); !done) return done;
        const double before = host_s();
        if (const Result<void> done = stopwatch_->async().synchronize(); !done) return done;
        busy += (host_s() - before) * 1e9 > other_streams_ns ? 1 : 0;
    }
    if (busy == trials)
        notes_.emplace_back("the device is still busy when the timed stream is done: part of the work runs on another stream and is in no "
                            "figure; launch it on the stream that is handed over");
    return {};
}

// The work waits for the device itself: holding it back would only time the gate.
void StreamTarget::give_up_the_gate() {
    use_gate_ = false;
    notes_.emplace_back("the work could not be held back until all of it was queued (it waits for the device, or the driver launches one "
                        "kernel at a time): the host's pace is in these times");
}

Result<Sample> StreamTarget::single() {
    const Work parts[] = {work_};
    const bool flush = caches_ == Caches::cold;
    Result<Timed> timed = stopwatch_->time(parts, {use_gate_, flush});
    if (timed && use_gate_ && !stopwatch_->predicted() && !timed->held_back) {
        give_up_the_gate();
        timed = stopwatch_->time(parts, {use_gate_, flush});
    }
    if (!timed) return timed.error();
    Sample sample;
    sample.held_back = timed->held_back;
    captures_ = captures_ || (timed->held_back && !refused_ && most_runs_ > 1);
    sample.time_ns = std::max(0.0, timed->took_ns.front() - stopwatch_->event_pair_ns() - stopwatch_->launch_ns());
    return sample;
}

Result<void> StreamTarget::prepare_row(std::uint32_t runs) {
    if (row_ != nullptr && row_->runs() == runs && row_->captured() == captures_) return {};
    row_.reset();
    Result<std::unique_ptr<RunsInARow>> row = RunsInARow::make(stopwatch_->stream(), work_, runs, captures_);
    if (!row && captures_) {
        captures_ = false;
        refused_ = true;
        notes_.push_back("the work cannot be captured into a graph (" + row.error().message +
                         "): its runs are launched one by one, and what the GPU needs from one launch to the next is in the time");
        row = RunsInARow::make(stopwatch_->stream(), work_, runs, false);
    }
    if (!row) return row.error();
    row_ = *std::move(row);
    visit_samples_ = 0;
    return {};
}

Result<bool> StreamTarget::in_a_row(std::uint32_t runs, Sample& sample) {
    if (const Result<void> ready = prepare_row(runs); !ready) return ready.error();
    const Work once = [this](device::Stream& stream) { return row_->queue(stream, 0); };
    const Work twice = [this](device::Stream& stream) { return row_->queue(stream, 1); };
    const Work parts[] = {once, once, twice}; // the first fills L2 again
    const bool refill = visit_samples_++ % samples_a_visit == 0;
    const std::span<const Work> timed_parts = refill ? std::span(parts) : std::span(parts).last(2);
    const Result<Timed> timed = stopwatch_->time(timed_parts, {.hold = use_gate_, .stir = refill});
    if (!timed) return timed.error();
    sample.runs = runs;
    sample.held_back = timed->held_back;
    sample.time_ns = std::max(0.0, timed->took_ns.back() - timed->took_ns.end()[-2]) / runs;
    return sample.held_back || !use_gate_;
}

Result<Sample> StreamTarget::sample(std::uint32_t runs) {
    Sample sample;
    runs = std::clamp(runs, 1U, most_runs_);
    while (runs > 1) {
        const Result<bool> taken = in_a_row(runs, sample);
        if (!taken) return taken.error();
        if (*taken) break;
        runs = most_runs_ = runs / 2; // the stream takes only so many launches behind the gate
    }
    if (runs == 1) {
        Result<Sample> alone = single();
        if (!alone) return alone.error();
        sample = *alone;
    }
    sample.clock_mhz = stopwatch_->clock_mhz();
    const Result<bool> slowed = throttled();
    if (!slowed) return slowed.error();
    sample.throttled = *slowed;
    return sample;
}

Result<bool> StreamTarget::throttled() {
    const Result<std::vector<std::string>> names = stopwatch_->throttling();
    if (!names) return names.error();
    for (const std::string& name : *names)
        if (std::find(throttle_seen_.begin(), throttle_seen_.end(), name) == throttle_seen_.end()) throttle_seen_.push_back(name);
    return !names->empty();
}

std::vector<std::string> StreamTarget::notes() const {
    std::vector<std::string> notes = notes_;
    if (!throttle_seen_.empty()) notes.push_back(fmt::format("the clock was held down meanwhile by: {}", fmt::join(throttle_seen_, ", ")));
    return notes;
}

} // namespace apod::bench
