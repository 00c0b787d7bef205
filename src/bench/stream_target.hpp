// Work on a GPU's stream, timed by events. One sample is, in the stream's order:
//   gate (closed until the host has queued everything) -> [L2 flush] -> clock stamp -> event -> work -> event ... -> clock stamp
//
// Short work: k runs between two events, then 2k runs between two more, each as one CUDA graph; the difference over k is what one more run
// costs, with what events and launches cost in neither. Work that cannot be captured is launched into the stream instead.
// Long work, and work with cold caches: one run between two events, less what the pair of events takes, less what a single launch takes
// more than one in a row; both are measured once, with nothing and with an empty kernel between the events.
#pragma once

#include "bench/clock_stamps.hpp"
#include "bench/runs_in_a_row.hpp"
#include "bench/target.hpp"
#include "device/async.hpp"
#include "device/device.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace apod::bench {

enum class Caches : std::uint8_t {
    cold, // L2 is flushed before each sample, and each sample is one run
    hot   // runs follow each other: what fits stays in L2
};

class StreamTarget final : public Target {
public:
    // The device must give an Async and outlive the target.
    static Result<std::unique_ptr<StreamTarget>> make(device::Device& device, std::string name, Work work, Caches caches);
    ~StreamTarget() override;
    StreamTarget(const StreamTarget&) = delete;
    StreamTarget& operator=(const StreamTarget&) = delete;

    [[nodiscard]] std::string name() const override { return name_; }
    Result<double> first_run() override;
    Result<Sample> sample(std::uint32_t runs) override;
    [[nodiscard]] std::vector<std::string> notes() const override;
    [[nodiscard]] std::uint32_t most_runs() const override { return most_runs_; }

    // Nanoseconds that are taken off a single run: of an empty pair of events, and of a launch alone.
    [[nodiscard]] double event_pair_ns() const { return event_pair_ns_; }
    [[nodiscard]] double launch_ns() const { return launch_ns_; }

private:
    StreamTarget(device::Device& device, device::Async& async) : device_(device), async_(async) {}

    Result<void> prepare(Caches caches);
    Result<void> prepare_flush();
    Result<void> measure_event_pair();
    Result<void> measure_launch();
    Result<void> notice_other_streams();
    Result<void> flush();
    // Queues the parts with an event before, between and behind them, and waits: what each took.
    Result<std::vector<double>> timed(std::span<const Work> parts, bool& held_back);
    Result<Sample> single();
    // Of k and 2k runs; where they cannot be held back, nothing is in `sample` and fewer are to be tried.
    Result<bool> in_a_row(const Work& work, std::uint32_t runs, Sample& sample);
    void give_up_the_gate();
    Result<bool> throttled();

    device::Device& device_;
    device::Async& async_;
    std::string name_;
    Work work_;
    std::unique_ptr<device::Stream> stream_;
    std::vector<std::unique_ptr<device::Event>> events_;
    std::unique_ptr<device::Gate> gate_;
    std::shared_ptr<device::Code> code_;
    std::unique_ptr<ClockStamps> stamps_;
    std::shared_ptr<device::Kernel> flush_kernel_;
    device::Address flush_buffer_ = 0;
    std::uint64_t flush_bytes_ = 0;
    std::unique_ptr<RunsInARow> row_; // of the last number of runs
    double event_pair_ns_ = 0;
    double launch_ns_ = 0;
    bool captures_ = false;  // the work was held back once, so it does not wait, and may be captured
    bool predicted_ = false; // the driver is an emulated one: nothing is held back, and caches are the model's
    bool use_gate_ = true;
    std::uint32_t most_runs_ = UINT32_MAX;
    double last_asked_s_ = -1;
    bool last_throttled_ = false;
    std::vector<std::string> throttle_seen_;
    std::vector<std::string> notes_;
};

} // namespace apod::bench
