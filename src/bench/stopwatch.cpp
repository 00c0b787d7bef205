#include "bench/stopwatch.hpp"

#include "bench/helper_kernels.hpp"
#include "bench/launch_arguments.hpp"
#include "bench/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace apod::bench {
namespace {

constexpr double gate_timeout_ns = 1e9;
constexpr std::size_t calibrations = 31;
constexpr std::size_t most_parts = 3;
constexpr std::uint32_t empty_runs = 100;
constexpr double flush_factor = 3;   // of L2: what was there must go whatever the replacement policy is
constexpr double ask_again_s = 0.02; // NVML takes longer to answer than a short sample

double host_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

} // namespace

Stopwatch::~Stopwatch() {
    if (flush_buffer_ != 0) (void)device_.free(flush_buffer_);
}

Result<std::shared_ptr<Stopwatch>> Stopwatch::make(device::Device& device) {
    device::Async* async = device.async();
    if (async == nullptr)
        return unavailable(fmt::format("device {} has no clock to time with", device.id()), "take a GPU, e.g. --device cuda:0");
    std::shared_ptr<Stopwatch> stopwatch(new Stopwatch(device, *async));
    if (const Result<void> prepared = stopwatch->prepare(); !prepared) return prepared.error();
    return stopwatch;
}

Result<void> Stopwatch::prepare() {
    predicted_ = async_.clock_source() == Source::predicted;
    Result<std::unique_ptr<device::Stream>> stream = async_.make_stream();
    if (!stream) return stream.error();
    stream_ = *std::move(stream);
    for (std::size_t i = 0; i <= most_parts; ++i) {
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
    if (const Result<void> measured = measure_event_pair(); !measured) return measured;
    return predicted_ || !can_hold_ ? Result<void>() : measure_launch();
}

Result<void> Stopwatch::prepare_flush() {
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
Result<void> Stopwatch::measure_event_pair() {
    const Work nothing[] = {[](device::Stream&) { return Result<void>(); }};
    std::vector<double> times;
    for (std::size_t i = 0; i < calibrations; ++i) {
        const Result<Timed> timed = time(nothing, {.hold = can_hold_});
        if (!timed) return timed.error();
        times.push_back(timed->took_ns.front());
        if (!predicted_ && !timed->held_back) can_hold_ = false; // not even nothing
    }
    event_pair_ns_ = std::max(0.0, median(std::move(times)));
    return {};
}

// What an empty kernel takes between two events more than one more of them in a row.
Result<void> Stopwatch::measure_launch() {
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
        const Result<Timed> timed = time(parts, {});
        if (!timed) return timed.error();
        alone.push_back(timed->took_ns[0]);
        in_a_row.push_back((timed->took_ns[2] - timed->took_ns[1]) / empty_runs);
    }
    launch_ns_ = std::max(0.0, median(std::move(alone)) - event_pair_ns_ - median(std::move(in_a_row)));
    return {};
}

Result<void> Stopwatch::flush() {
    if (predicted_) return {};
    if (flush_buffer_ == 0) return internal_error("the L2 flush was not prepared");
    if (const Result<void> reset = async_.reset_persisting_l2(); !reset) return reset;
    device::Launch launch;
    launch.grid = {device_.gpu().sm_count * 2, 1, 1};
    launch.block = {512, 1, 1};
    launch.parameters = pack_arguments({flush_buffer_, flush_bytes_ / 16, 1});
    return stream_->launch(*flush_kernel_, launch);
}

Result<void> Stopwatch::stir() {
    if (predicted_) return {};
    if (flush_buffer_ == 0) return internal_error("the L2 flush was not prepared");
    return stream_->fill(flush_buffer_, std::byte{0}, flush_bytes_);
}

Result<Timed> Stopwatch::time(std::span<const Work> parts, const Preparation& preparation) {
    if (parts.size() > most_parts) return internal_error("a sample has too many parts");
    if ((preparation.flush || preparation.stir) && !predicted_ && flush_buffer_ == 0) // allocates, so before the gate
        if (const Result<void> ready = prepare_flush(); !ready) return ready.error();
    Timed timed;
    if (preparation.hold) {
        const Result<bool> closed = gate_->close(*stream_);
        if (!closed) return closed.error();
        timed.held_back = *closed;
    }
    const auto queue = [&]() -> Result<void> {
        if (preparation.flush)
            if (const Result<void> flushed = flush(); !flushed) return flushed;
        if (preparation.stir)
            if (const Result<void> stirred = stir(); !stirred) return stirred;
        if (const Result<void> stamped = stamps_->before(*stream_); !stamped) return stamped;
        if (const Result<void> recorded = stream_->record(*events_[0]); !recorded) return recorded;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (const Result<void> queued = parts[i](*stream_); !queued) return queued;
            if (const Result<void> recorded = stream_->record(*events_[i + 1]); !recorded) return recorded;
        }
        return stamps_->after(*stream_);
    };
    const Result<void> queued = queue();
    if (timed.held_back) gate_->open(); // whatever happened: nothing may wait for ever
    if (!queued) return queued.error();
    if (const Result<void> done = stream_->synchronize(); !done) return done.error();
    if (timed.held_back && gate_->timed_out()) timed.held_back = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Result<double> one = async_.elapsed_ns(*events_[i], *events_[i + 1]);
        if (!one) return one.error();
        timed.took_ns.push_back(*one);
    }
    return timed;
}

Result<std::vector<std::string>> Stopwatch::throttling() {
    const double now_s = host_s();
    if (asked_s_ >= 0 && now_s - asked_s_ < ask_again_s) return throttling_;
    const Result<device::ClockState> state = async_.clocks();
    if (!state) return state.error();
    asked_s_ = now_s;
    throttling_ = device::throttle_names(state->throttle_reasons.value_or(0));
    return throttling_;
}

} // namespace apod::bench
