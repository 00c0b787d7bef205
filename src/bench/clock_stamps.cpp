#include "bench/clock_stamps.hpp"

#include "bench/launch_arguments.hpp"
#include "bench/statistics.hpp"

#include <cstring>
#include <utility>
#include <vector>

namespace apod::bench {
namespace {

// Steps of the timer that must lie between two stamps: an error of one step at each end is then under a percent.
constexpr double fewest_steps = 200;

} // namespace

double clock_between(std::span<const Stamp> before, std::span<const Stamp> after, std::uint64_t before_sequence,
                     std::uint64_t after_sequence, double step_ns) {
    std::vector<double> clocks;
    for (std::size_t sm = 0; sm < before.size() && sm < after.size(); ++sm) {
        if (before[sm].sequence != before_sequence || after[sm].sequence != after_sequence) continue;
        const auto cycles = static_cast<double>(after[sm].cycles - before[sm].cycles);
        const auto time = static_cast<double>(after[sm].time_ns - before[sm].time_ns);
        if (time < fewest_steps * step_ns || time <= 0) continue;
        clocks.push_back(cycles / time * 1000);
    }
    return clocks.empty() ? 0 : median(std::move(clocks));
}

Result<std::unique_ptr<ClockStamps>> ClockStamps::make(device::Device& device, device::Async& async, device::Code& code) {
    std::unique_ptr<ClockStamps> stamps(new ClockStamps);
    Result<std::shared_ptr<device::Kernel>> kernel = code.kernel("apod_stamp");
    if (!kernel) return kernel.error();
    stamps->kernel_ = *std::move(kernel);
    stamps->sms_ = device.gpu().sm_count;
    stamps->step_ns_ = async.clock_step_ns();
    Result<std::unique_ptr<device::HostMemory>> memory =
        async.allocate_host(device::HostMemoryKind::mapped, 2 * stamps->sms_ * sizeof(Stamp));
    if (!memory) return memory.error();
    stamps->memory_ = *std::move(memory);
    std::memset(stamps->memory_->bytes().data(), 0, stamps->memory_->bytes().size());
    return stamps;
}

Result<void> ClockStamps::stamp(device::Stream& stream, std::size_t half) {
    device::Launch launch;
    launch.grid = {static_cast<std::uint32_t>(sms_), 1, 1};
    launch.block = {32, 1, 1};
    launch.parameters = pack_arguments({memory_->device_address() + half * sms_ * sizeof(Stamp), sequence_ + half});
    return stream.launch(*kernel_, launch);
}

Result<void> ClockStamps::before(device::Stream& stream) {
    sequence_ += 2;
    return stamp(stream, 0);
}

Result<void> ClockStamps::after(device::Stream& stream) { return stamp(stream, 1); }

double ClockStamps::mhz() const {
    std::vector<Stamp> stamps(2 * sms_);
    std::memcpy(stamps.data(), memory_->bytes().data(), stamps.size() * sizeof(Stamp));
    const std::span<const Stamp> all(stamps);
    return clock_between(all.first(sms_), all.subspan(sms_), sequence_, sequence_ + 1, step_ns_);
}

} // namespace apod::bench
