// A device for tests: its kernels are functions of the tests over plain host memory.
#pragma once

#include "device/device.hpp"

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace apod::ladder::testing {

// A launch as a fake kernel sees it.
struct FakeLaunch {
    const device::KernelInfo& info;
    const device::Launch& launch;

    // The argument's bits.
    [[nodiscard]] std::uint64_t bits(std::size_t index) const {
        std::uint64_t value = 0;
        std::memcpy(&value, launch.parameters.data() + info.parameters[index].offset, info.parameters[index].bytes);
        return value;
    }
    template<class T> [[nodiscard]] T* pointer(std::size_t index) const { return reinterpret_cast<T*>(bits(index)); }
    [[nodiscard]] int integer(std::size_t index) const { return static_cast<int>(bits(index)); }
};

// Does the kernel's work and tells what it cost.
using FakeBody = std::function<Result<LaunchRecord>(const FakeLaunch&)>;

class FakeKernel : public device::Kernel {
public:
    // `types` are PTX's, in order.
    FakeKernel(std::string display, const std::vector<std::string>& types, FakeBody run) : body(std::move(run)) {
        info_.name = info_.display = std::move(display);
        for (const std::string& type : types) {
            const std::uint32_t bytes = static_cast<std::uint32_t>(std::stoi(type.substr(1))) / 8;
            const std::uint32_t offset = (info_.parameter_bytes + bytes - 1) / bytes * bytes;
            info_.parameters.push_back({"p" + std::to_string(info_.parameters.size()), type, offset, bytes});
            info_.parameter_bytes = offset + bytes;
        }
    }
    [[nodiscard]] const device::KernelInfo& info() const override { return info_; }
    FakeBody body;

private:
    device::KernelInfo info_;
};

class FakeCode : public device::Code {
public:
    explicit FakeCode(std::vector<std::shared_ptr<FakeKernel>> kernels) : kernels_(std::move(kernels)) {}
    [[nodiscard]] std::vector<std::string> kernel_names() const override { return {}; }
    Result<std::shared_ptr<device::Kernel>> kernel(std::string_view name) override {
        for (const auto& kernel : kernels_) {
            const std::string& display = kernel->info().display;
            if (display == name || display.substr(0, display.find('(')) == name) return std::shared_ptr<device::Kernel>(kernel);
        }
        return bad_input({}, "there is no kernel '" + std::string(name) + "'");
    }

private:
    std::vector<std::shared_ptr<FakeKernel>> kernels_;
};

class FakeDevice : public device::Device {
public:
    explicit FakeDevice(std::vector<std::shared_ptr<FakeKernel>> kernels) : kernels_(std::move(kernels)) {
        gpu_.id = "fake";
        gpu_.cc = {9, 0};
        gpu_.sm_count = 10;
        gpu_.boost_mhz = 1000;
        gpu_.throughput.fp32 = 100;
        gpu_.memory.peak_gbs = 1000;
    }
    [[nodiscard]] std::string id() const override { return "emu:fake"; }
    [[nodiscard]] const arch::Gpu& gpu() const override { return gpu_; }
    [[nodiscard]] bool is_emulated() const override { return true; }

    Result<device::Address> allocate(std::uint64_t bytes, std::string name) override {
        if (bytes > capacity) return unavailable("the device has no memory for '" + name + "'");
        auto memory = std::make_unique<std::vector<std::byte>>(bytes);
        const auto address = reinterpret_cast<device::Address>(memory->data());
        memory_[address] = std::move(memory);
        return address;
    }
    Result<void> free(device::Address address) override {
        memory_.erase(address);
        return {};
    }
    Result<void> write(device::Address to, std::span<const std::byte> from) override {
        std::memcpy(reinterpret_cast<void*>(to), from.data(), from.size());
        return {};
    }
    Result<void> read(std::span<std::byte> to, device::Address from) override {
        std::memcpy(to.data(), reinterpret_cast<const void*>(from), to.size());
        return {};
    }
    Result<void> fill(device::Address to, std::byte value, std::uint64_t bytes) override {
        std::memset(reinterpret_cast<void*>(to), static_cast<int>(value), bytes);
        return {};
    }
    Result<std::shared_ptr<device::Code>> load(std::string, std::string) override {
        return std::shared_ptr<device::Code>(std::make_shared<FakeCode>(kernels_));
    }
    Result<LaunchRecord> launch(device::Kernel& kernel, const device::Launch& launch) override {
        launches.push_back(launch);
        auto record = static_cast<FakeKernel&>(kernel).body({kernel.info(), launch});
        if (record.ok()) record->kernel = kernel.info().display;
        return record;
    }
    [[nodiscard]] std::size_t allocations() const { return memory_.size(); }

    std::uint64_t capacity = std::uint64_t{1} << 30;
    std::vector<device::Launch> launches;

private:
    arch::Gpu gpu_;
    std::vector<std::shared_ptr<FakeKernel>> kernels_;
    std::map<device::Address, std::unique_ptr<std::vector<std::byte>>> memory_;
};

// A record with that time and one count.
inline LaunchRecord record_of(double time_ns, double warp_instructions = 0) {
    LaunchRecord record;
    record.time_ns = {time_ns, Source::predicted, {}};
    record.floor_ns = {1, Source::theoretical, {}};
    record.limiter = "dram";
    record.metrics["smsp__inst_executed.sum"] = {warp_instructions, Source::counted, {}};
    return record;
}

} // namespace apod::ladder::testing
