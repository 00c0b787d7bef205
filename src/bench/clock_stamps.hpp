// The SM clock while a sample ran: the same SM's cycle counter and the global timer, read by a kernel before and after the sample. The
// driver's answer (NVML) is an average over its own, longer interval.
#pragma once

#include "base/result.hpp"
#include "device/async.hpp"
#include "device/device.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace apod::bench {

// What one block writes for its SM.
struct Stamp {
    std::uint64_t sequence = 0; // which stamp it was; an SM that got no block keeps an older one
    std::uint64_t cycles = 0;
    std::uint64_t time_ns = 0;
};

// The clock between two stamps in MHz: the median over the SMs that took part in both. 0 where there is none, or where the time between is
// too short for the timer's steps.
[[nodiscard]] double clock_between(std::span<const Stamp> before, std::span<const Stamp> after, std::uint64_t before_sequence,
                                   std::uint64_t after_sequence, double step_ns);

class ClockStamps {
public:
    static Result<std::unique_ptr<ClockStamps>> make(device::Device& device, device::Async& async, device::Code& code);

    Result<void> before(device::Stream& stream); // queues the first stamp
    Result<void> after(device::Stream& stream);
    [[nodiscard]] double mhz() const; // once the stream is synchronised

private:
    ClockStamps() = default;
    Result<void> stamp(device::Stream& stream, std::size_t half);

    std::shared_ptr<device::Kernel> kernel_;
    std::unique_ptr<device::HostMemory> memory_; // two stamps an SM: before, then after
    std::size_t sms_ = 0;
    double step_ns_ = 0;
    std::uint64_t sequence_ = 0;
};

} // namespace apod::bench
