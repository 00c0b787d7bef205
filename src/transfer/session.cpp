#include "transfer/session.hpp"

#include "bench/host_target.hpp"
#include "bench/launch_arguments.hpp"
#include "transfer/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace apod::transfer {
namespace {

constexpr std::uint32_t threads = 256;

} // namespace

std::vector<std::uint64_t> sizes_of(std::uint64_t smallest, std::uint64_t largest, std::uint64_t step) {
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t size = smallest; size < largest; size *= std::max<std::uint64_t>(step, 2)) sizes.push_back(size);
    sizes.push_back(largest);
    return sizes;
}

Result<std::unique_ptr<Session>> Session::make(device::Device& device, Options options) {
    device::Async* async = device.async();
    if (async == nullptr)
        return unavailable(fmt::format("device {} has no copies to time: it is an emulated one", device.id()),
                           "take a GPU: --device cuda:0");
    std::unique_ptr<Session> session(new Session(device, *async, std::move(options)));
    Result<std::shared_ptr<bench::Stopwatch>> stopwatch = bench::Stopwatch::make(device);
    if (!stopwatch) return stopwatch.error();
    session->stopwatch_ = *std::move(stopwatch);
    Result<std::shared_ptr<device::Code>> code = device.load(std::string(kernels()), "apod's transfer kernels");
    if (!code) return code.error();
    session->code_ = *std::move(code);
    Result<std::shared_ptr<device::Kernel>> scale = session->code_->kernel("apod_scale");
    if (!scale) return scale.error();
    Result<std::shared_ptr<device::Kernel>> copy = session->code_->kernel("apod_copy");
    if (!copy) return copy.error();
    session->scale_ = *std::move(scale);
    session->copy_ = *std::move(copy);
    return session;
}

void Session::progress(const std::string& what) const {
    if (options_.progress) options_.progress(what);
}

Result<void> Session::scale(device::Stream& stream, device::Address y, device::Address x, std::uint64_t elements,
                            std::uint32_t multiplications) const {
    device::Launch launch;
    launch.grid = {static_cast<std::uint32_t>((elements + threads - 1) / threads), 1, 1};
    launch.block = {threads, 1, 1};
    launch.parameters = bench::pack_arguments({y, x, elements, std::bit_cast<std::uint32_t>(scale_factor), multiplications});
    return stream.launch(*scale_, launch);
}

Result<void> Session::copy_by_kernel(device::Stream& stream, device::Address to, device::Address from, std::uint64_t bytes) const {
    const std::uint64_t vectors = bytes / 16;
    const std::uint64_t blocks = std::clamp<std::uint64_t>((vectors + threads - 1) / threads, 1, std::uint64_t{8} * device_.gpu().sm_count);
    device::Launch launch;
    launch.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
    launch.block = {threads, 1, 1};
    launch.parameters = bench::pack_arguments({to, from, vectors});
    return stream.launch(*copy_, launch);
}

bench::Plan Session::plan() const {
    bench::Plan plan;
    plan.warm_up_s = options_.point_s / 10;
    plan.most_runs = 1;
    plan.stopping.shortest_s = options_.point_s;
    plan.stopping.fewest_samples = options_.fewest_samples;
    plan.rules = [options = options_] {
        // So many points are measured that each gets its time and no more; the noise is shown, not waited for.
        bench::StoppingOptions stopping;
        stopping.fewest_samples = options.fewest_samples;
        stopping.shortest_s = options.point_s;
        stopping.relative_deviation = 1e9;
        std::vector<std::unique_ptr<bench::StoppingRule>> rules;
        rules.push_back(bench::low_noise_rule(stopping));
        return rules;
    };
    return plan;
}

Result<bench::Summary> Session::by_events(const std::string& name, bench::Work work) const {
    bench::StreamTarget target(stopwatch_, name, std::move(work), bench::Caches::hot);
    Result<bench::Measurement> measured = bench::sample_one(target, plan());
    if (!measured) return measured.error();
    return measured->time_ns;
}

Result<bench::Summary> Session::by_host(const std::string& name, std::function<Result<void>()> work,
                                        std::function<Result<void>()> before) const {
    bench::HostTarget target(name, std::move(work), std::move(before));
    Result<bench::Measurement> measured = bench::sample_one(target, plan());
    if (!measured) return measured.error();
    return measured->time_ns;
}

Result<DeviceMemory> DeviceMemory::allocate(device::Device& device, std::uint64_t bytes, std::string name) {
    const Result<device::Address> address = device.allocate(bytes, std::move(name));
    if (!address) return address.error();
    return DeviceMemory(device, *address);
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept : device_(other.device_), address_(std::exchange(other.address_, 0)) {}

DeviceMemory::~DeviceMemory() {
    if (address_ != 0) (void)device_->free(address_);
}

} // namespace apod::transfer
