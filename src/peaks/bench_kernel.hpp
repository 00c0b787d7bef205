// What the measurements of this folder share: the kernels, and timing one of them.
#pragma once

#include "base/result.hpp"
#include "bench/measurement.hpp"
#include "bench/stream_target.hpp"
#include "device/async.hpp"
#include "device/device.hpp"
#include "device/facts.hpp"
#include "peaks/peaks.hpp"

#include <initializer_list>
#include <memory>
#include <string>

namespace apod::peaks {

// Device memory that is freed with the object.
class Buffer {
public:
    static Result<Buffer> make(device::Device& device, std::uint64_t bytes, const char* name);
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&&) = delete;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();
    [[nodiscard]] device::Address address() const { return address_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    Buffer(device::Device& device, device::Address address, std::uint64_t bytes) : device_(&device), address_(address), bytes_(bytes) {}
    device::Device* device_; // null: moved from
    device::Address address_;
    std::uint64_t bytes_;
};

class Bench {
public:
    static Result<Bench> make(device::Device& device, const device::DeviceFacts& facts, const PeakOptions& options);

    [[nodiscard]] device::Device& device() const { return *device_; }
    [[nodiscard]] device::Async& async() const { return *async_; }
    [[nodiscard]] const device::DeviceFacts& facts() const { return *facts_; }
    [[nodiscard]] const arch::Gpu& gpu() const { return device_->gpu(); }
    [[nodiscard]] const PeakOptions& options() const { return *options_; }

    Result<std::shared_ptr<device::Kernel>> kernel(const char* name) const;
    [[nodiscard]] static device::Launch shape(std::uint64_t blocks, std::uint32_t threads, std::initializer_list<std::uint64_t> arguments);

    // Times work that the stream queues; `what` names it in messages and progress. `runs` is the most in one sample, 0: as usual.
    Result<bench::Measurement> time(const std::string& what, const bench::Work& work, std::uint32_t runs = 0) const;
    Result<bench::Measurement> time(const std::string& what, const char* kernel, const device::Launch& launch) const;

    // The median with its noise, as a quantity of another unit: amount / time.
    [[nodiscard]] Quantity per_time(double amount, const bench::Measurement& measurement) const;
    [[nodiscard]] Quantity time_of(const bench::Measurement& measurement) const;
    void tell(const std::string& what) const;

private:
    Bench(device::Device& device, device::Async& async, const device::DeviceFacts& facts, const PeakOptions& options) :
        device_(&device), async_(&async), facts_(&facts), options_(&options) {}

    device::Device* device_;
    device::Async* async_;
    const device::DeviceFacts* facts_;
    const PeakOptions* options_;
    std::shared_ptr<device::Code> code_;
};

// Each appends its figures, and notes for what it leaves out.
Result<void> measure_bandwidth(const Bench& bench, Peaks& peaks);
Result<void> measure_rates(const Bench& bench, Peaks& peaks);
Result<void> measure_latencies(const Bench& bench, Peaks& peaks);
Result<void> measure_launches(const Bench& bench, Peaks& peaks);
Result<void> measure_link(const Bench& bench, Peaks& peaks);

} // namespace apod::peaks
