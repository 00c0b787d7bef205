#include "peaks/bench_kernel.hpp"

#include "base/assets.hpp"
#include "bench/launch_arguments.hpp"
#include "bench/sampler.hpp"

#include <fmt/format.h>

#include <utility>

namespace apod::peaks {

namespace {

constexpr const char* kernels_path = "src/peaks/kernels.ptx";

}

Result<Buffer> Buffer::make(device::Device& device, std::uint64_t bytes, const char* name) {
    const Result<device::Address> address = device.allocate(bytes, name);
    if (!address) return address.error();
    return Buffer(device, *address, bytes);
}

Buffer::Buffer(Buffer&& other) noexcept : device_(std::exchange(other.device_, nullptr)), address_(other.address_), bytes_(other.bytes_) {}

Buffer::~Buffer() {
    if (device_ != nullptr) (void)device_->free(address_).ok(); // what failed before has been reported
}

Result<Bench> Bench::make(device::Device& device, const device::DeviceFacts& facts, const PeakOptions& options) {
    device::Async* async = device.async();
    if (async == nullptr)
        return unavailable(fmt::format("device {} has no clock: there is nothing to measure", device.id()),
                           "take a GPU, e.g. --device cuda:0");
    Bench bench(device, *async, facts, options);
    const auto ptx = find_asset(kernels_path);
    if (!ptx) return internal_error(fmt::format("{} is not part of this apod", kernels_path));
    Result<std::shared_ptr<device::Code>> code = device.load(std::string(*ptx), kernels_path);
    if (!code) return code.error();
    bench.code_ = *std::move(code);
    return bench;
}

Result<std::shared_ptr<device::Kernel>> Bench::kernel(const char* name) const { return code_->kernel(name); }

device::Launch Bench::shape(std::uint64_t blocks, std::uint32_t threads, std::initializer_list<std::uint64_t> arguments) {
    device::Launch launch;
    launch.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
    launch.block = {threads, 1, 1};
    launch.parameters = bench::pack_arguments(arguments);
    return launch;
}

void Bench::tell(const std::string& what) const {
    if (options_->progress) options_->progress(what);
}

Result<bench::Measurement> Bench::time(const std::string& what, const bench::Work& work, std::uint32_t runs) const {
    tell(what);
    Result<std::unique_ptr<bench::StreamTarget>> target = bench::StreamTarget::make(*device_, what, work, bench::Caches::hot);
    if (!target) return target.error();
    bench::Plan plan;
    plan.warm_up_s = options_->sample_s / 2;
    plan.stopping.shortest_s = options_->sample_s;
    plan.stopping.timeout_s = options_->timeout_s;
    if (runs != 0) plan.most_runs = runs;
    return bench::sample_one(**target, plan);
}

Result<bench::Measurement> Bench::time(const std::string& what, const char* name, const device::Launch& launch) const {
    Result<std::shared_ptr<device::Kernel>> found = kernel(name);
    if (!found) return found.error();
    return time(what, [&](device::Stream& stream) { return stream.launch(**found, launch); });
}

Quantity Bench::per_time(double amount, const bench::Measurement& measurement) const {
    return {amount / measurement.time_ns.median, async_->clock_source(), measurement.time_ns.noise()};
}

Quantity Bench::time_of(const bench::Measurement& measurement) const {
    return {measurement.time_ns.median, async_->clock_source(), measurement.time_ns.noise()};
}

} // namespace apod::peaks
