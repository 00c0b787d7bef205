// What times work on a GPU: one stream, a gate that holds it back, events, clock stamps and the L2 flush, and what each of these costs. All
// targets of a device share one, so that versions that are compared run on the same stream, and because on an H200 (driver 580) every node
// of a graph takes 0.18 us longer, on all streams, once a second stream of the process has been held back by a kernel.
#pragma once

#include "bench/clock_stamps.hpp"
#include "bench/runs_in_a_row.hpp"
#include "device/async.hpp"
#include "device/device.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace apod::bench {

// What a stopwatch was asked to do before the work starts.
struct Preparation {
    bool hold = true;   // until all is queued
    bool flush = false; // L2, by reading: what was in it is gone, and lines of somebody else are there, clean
    bool stir = false;  // L2, by writing: what comes next finds its places anew
};

struct Timed {
    std::vector<double> took_ns; // each part, event to event
    bool held_back = false;
};

class Stopwatch {
public:
    // The device must give an Async and outlive the stopwatch.
    static Result<std::shared_ptr<Stopwatch>> make(device::Device& device);
    ~Stopwatch();
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    [[nodiscard]] device::Stream& stream() { return *stream_; }
    [[nodiscard]] device::Async& async() { return async_; }
    // The driver is an emulated one: nothing is held back, caches are the model's, and times are predictions.
    [[nodiscard]] bool predicted() const { return predicted_; }
    // Launches return when the kernel is done (CUDA_LAUNCH_BLOCKING): nothing can be held back.
    [[nodiscard]] bool can_hold() const { return can_hold_; }

    // Queues the parts with an event before, between and behind them, and waits: what each took, and whether the host's pace is kept out.
    Result<Timed> time(std::span<const Work> parts, const Preparation& preparation);

    // The SM clock of what was timed last, MHz; 0: not known.
    [[nodiscard]] double clock_mhz() const { return predicted_ ? 0 : stamps_->mhz(); }
    // Why the clock is held down, by NVML, at most every 20 ms; empty: it is not.
    Result<std::vector<std::string>> throttling();

    // Nanoseconds that are taken off a single run: of an empty pair of events, and of a launch alone against one in a row.
    [[nodiscard]] double event_pair_ns() const { return event_pair_ns_; }
    [[nodiscard]] double launch_ns() const { return launch_ns_; }

private:
    Stopwatch(device::Device& device, device::Async& async) : device_(device), async_(async) {}
    Result<void> prepare();
    Result<void> prepare_flush();
    Result<void> measure_event_pair();
    Result<void> measure_launch();
    Result<void> flush();
    Result<void> stir();

    device::Device& device_;
    device::Async& async_;
    std::unique_ptr<device::Stream> stream_;
    std::vector<std::unique_ptr<device::Event>> events_;
    std::unique_ptr<device::Gate> gate_;
    std::shared_ptr<device::Code> code_;
    std::unique_ptr<ClockStamps> stamps_;
    std::shared_ptr<device::Kernel> flush_kernel_;
    device::Address flush_buffer_ = 0;
    std::uint64_t flush_bytes_ = 0;
    double event_pair_ns_ = 0;
    double launch_ns_ = 0;
    bool predicted_ = false;
    bool can_hold_ = true;
    double asked_s_ = -1; // NVML, last
    std::vector<std::string> throttling_;
};

} // namespace apod::bench
