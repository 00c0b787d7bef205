// What the measurements of `apod transfer` have in common: the device, its kernels, sizes and how long to sample.
#pragma once

#include "base/result.hpp"
#include "bench/sampler.hpp"
#include "bench/stream_target.hpp"
#include "device/async.hpp"
#include "device/device.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace apod::transfer {

struct Options {
    std::uint64_t smallest = std::uint64_t{1} << 10;
    std::uint64_t largest = std::uint64_t{1} << 30;
    std::uint64_t largest_managed = std::uint64_t{64} << 20;
    std::uint64_t step = 4;         // from one size to the next
    double point_s = 0.02;          // of sampling a size, when it takes no longer
    std::size_t fewest_samples = 5; // but at least these
    double host_limit_s = 0.2;      // a host version that would take longer is left out
    std::vector<std::uint32_t> multiplications = {1, 8, 64, 512};
    std::function<void(const std::string&)> progress; // what is being measured; may be empty
};

// smallest, smallest * step, ... up to `largest`, which is always there.
[[nodiscard]] std::vector<std::uint64_t> sizes_of(std::uint64_t smallest, std::uint64_t largest, std::uint64_t step);

class Session {
public:
    static Result<std::unique_ptr<Session>> make(device::Device& device, Options options);

    [[nodiscard]] device::Device& device() const { return device_; }
    [[nodiscard]] device::Async& async() const { return async_; }
    [[nodiscard]] const Options& options() const { return options_; }
    void progress(const std::string& what) const;

    // y[i] = x[i] * factor ... on the device, queued.
    Result<void> scale(device::Stream& stream, device::Address y, device::Address x, std::uint64_t elements,
                       std::uint32_t multiplications) const;
    // 16-byte vectors by a kernel, queued: what mapped and managed memory is read and written with.
    Result<void> copy_by_kernel(device::Stream& stream, device::Address to, device::Address from, std::uint64_t bytes) const;

    // Few samples, each of one run: as long as Options say. By events on a stream, or by the host's clock around calls that wait.
    Result<bench::Summary> by_events(const std::string& name, bench::Work work) const;
    Result<bench::Summary> by_host(const std::string& name, std::function<Result<void>()> work,
                                   std::function<Result<void>()> before = {}) const;

private:
    Session(device::Device& device, device::Async& async, Options options) : device_(device), async_(async), options_(std::move(options)) {}
    [[nodiscard]] bench::Plan plan() const;

    device::Device& device_;
    device::Async& async_;
    Options options_;
    std::shared_ptr<bench::Stopwatch> stopwatch_;
    std::shared_ptr<device::Code> code_;
    std::shared_ptr<device::Kernel> scale_;
    std::shared_ptr<device::Kernel> copy_;
};

inline constexpr float scale_factor = 1.0001F; // 512 of them leave every element near 1

// Device memory that is freed with it.
class DeviceMemory {
public:
    static Result<DeviceMemory> allocate(device::Device& device, std::uint64_t bytes, std::string name);
    ~DeviceMemory();
    DeviceMemory(DeviceMemory&& other) noexcept;
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    DeviceMemory& operator=(DeviceMemory&&) = delete;
    [[nodiscard]] device::Address address() const { return address_; }

private:
    DeviceMemory(device::Device& device, device::Address address) : device_(&device), address_(address) {}
    device::Device* device_;
    device::Address address_;
};

} // namespace apod::transfer
