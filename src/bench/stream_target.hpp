// Work on a GPU's stream, timed by events. One sample is, in the stream's order:
//   gate (closed until the host has queued everything) -> [L2 flush] -> clock stamp -> event -> runs -> event -> clock stamp
// What two events with nothing between them take is measured once and taken off.
#pragma once

#include "bench/clock_stamps.hpp"
#include "bench/target.hpp"
#include "device/async.hpp"
#include "device/device.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace apod::bench {

enum class Caches : std::uint8_t {
    cold, // L2 is flushed before each sample, and each sample is one run
    hot   // runs follow each other: what fits stays in L2
};

// Queues one run on the stream.
using Work = std::function<Result<void>(device::Stream&)>;

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

    // Of an empty pair of events, nanoseconds: taken off each sample.
    [[nodiscard]] double event_pair_ns() const { return event_pair_ns_; }

private:
    StreamTarget(device::Device& device, device::Async& async) : device_(device), async_(async) {}

    Result<void> prepare(Caches caches);
    Result<void> prepare_flush();
    Result<void> measure_event_pair();
    Result<void> notice_other_streams();
    Result<void> flush();
    // Queues and waits for one sample; nothing where it could not be held back and must be taken again with fewer runs.
    Result<double> timed(std::uint32_t runs, bool& held_back);
    void give_up_the_gate();
    Result<bool> throttled();

    device::Device& device_;
    device::Async& async_;
    std::string name_;
    Work work_;
    std::unique_ptr<device::Stream> stream_;
    std::unique_ptr<device::Event> begin_;
    std::unique_ptr<device::Event> end_;
    std::unique_ptr<device::Gate> gate_;
    std::shared_ptr<device::Code> code_;
    std::unique_ptr<ClockStamps> stamps_;
    std::shared_ptr<device::Kernel> flush_kernel_;
    device::Address flush_buffer_ = 0;
    std::uint64_t flush_bytes_ = 0;
    double event_pair_ns_ = 0;
    bool predicted_ = false; // the driver is an emulated one: nothing is held back, and caches are the model's
    bool use_gate_ = true;
    std::uint32_t most_runs_ = UINT32_MAX;
    double last_asked_s_ = -1;
    bool last_throttled_ = false;
    std::vector<std::string> throttle_seen_;
    std::vector<std::string> notes_;
};

} // namespace apod::bench
