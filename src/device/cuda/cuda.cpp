#include "device/cuda/cuda.hpp"

#include "arch/memory_bound.hpp"
#include "arch/occupancy.hpp"
#include "device/async.hpp"
#include "device/cuda/nvml.hpp"
#include "device/cuda/query.hpp"
#include "device/cuda/streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace apod::device {

namespace {

using namespace cuda;

constexpr double gate_timeout_ns = 1e9;

// NVML is a help, never a need.
std::shared_ptr<const Nvml> try_nvml(const Driver& driver, const std::string& library) {
    if (driver.emulated()) return nullptr;
    Result<std::shared_ptr<const Nvml>> nvml = Nvml::load(library);
    return nvml ? *std::move(nvml) : nullptr;
}

class CudaAsync final : public Async {
public:
    CudaAsync(std::shared_ptr<Gpu> gpu, const arch::Gpu& description, std::shared_ptr<const Nvml> nvml, const std::string& bus_id) :
        gpu_(std::move(gpu)),
        description_(description),
        nvml_(std::move(nvml)),
        nvml_device_(nvml_ == nullptr ? nullptr : nvml_->find(bus_id)) {}

    [[nodiscard]] Source clock_source() const override { return gpu_->driver().emulated() ? Source::predicted : Source::measured; }
    [[nodiscard]] double clock_step_ns() const override { return description_.cc.major >= 9 ? 32 : 1000; }

    Result<std::unique_ptr<Stream>> make_stream() override { return cuda::make_stream(gpu_, description_); }
    Result<std::unique_ptr<Event>> make_event() override { return cuda::make_event(gpu_, true); }
    Result<std::unique_ptr<Event>> make_order_event() override { return cuda::make_event(gpu_, false); }
    Result<double> elapsed_ns(const Event& from, const Event& to) override { return cuda::elapsed_ns(*gpu_, from, to); }
    Result<std::unique_ptr<Gate>> make_gate(double timeout_ns) override { return cuda::make_gate(gpu_, description_, timeout_ns); }
    Result<void> synchronize() override { return gpu_->check("cuCtxSynchronize", gpu_->call().context_synchronize()); }
    Result<std::unique_ptr<HostMemory>> allocate_host(HostMemoryKind kind, std::uint64_t bytes) override {
        return cuda::allocate_host(gpu_, kind, bytes);
    }
    Result<std::unique_ptr<HostMemory>> pin(std::span<std::byte> pages) override { return cuda::pin(gpu_, pages); }

    Result<std::unique_ptr<Graph>> make_graph(std::span<const GraphKernel> chain) override {
        Result<std::unique_ptr<Stream>> stream = make_stream();
        if (!stream) return stream.error();
        if (const Result<void> begun = (*stream)->begin_capture(); !begun) return begun.error();
        Result<void> queued;
        for (const GraphKernel& node : chain) {
            queued = node.kernel == nullptr ? internal_error("a graph's node has no kernel") : (*stream)->launch(*node.kernel, node.launch);
            if (!queued) break;
        }
        Result<std::unique_ptr<Graph>> graph = (*stream)->end_capture();
        if (!queued) return queued.error();
        return graph;
    }

    Result<void> reset_persisting_l2() override {
        const DriverFunctions& call = gpu_->call();
        if (call.context_reset_l2 == nullptr || description_.cc.major < 8 || gpu_->driver().emulated()) return {};
        return gpu_->check("cuCtxResetPersistingL2Cache", call.context_reset_l2());
    }
    Result<ClockState> clocks() override { return nvml_device_ == nullptr ? ClockState{} : nvml_->clocks(nvml_device_); }

private:
    std::shared_ptr<Gpu> gpu_;
    const arch::Gpu& description_;
    std::shared_ptr<const Nvml> nvml_;
    Nvml::Handle nvml_device_;
};

// What a launch needs to be timed once; made at the first.
struct Timing {
    std::unique_ptr<Stream> stream;
    std::unique_ptr<Event> begin;
    std::unique_ptr<Event> end;
    std::unique_ptr<Gate> gate; // null: work begins as it is queued
};

class CudaDevice final : public Device {
public:
    CudaDevice(std::shared_ptr<Gpu> gpu, DeviceFacts facts, arch::Gpu description, std::shared_ptr<const Nvml> nvml) :
        gpu_(std::move(gpu)),
        facts_(std::move(facts)),
        description_(std::move(description)),
        async_(gpu_, description_, std::move(nvml), facts_.bus_id) {}

    [[nodiscard]] std::string id() const override { return facts_.id; }
    [[nodiscard]] const arch::Gpu& gpu() const override { return description_; }
    [[nodiscard]] bool is_emulated() const override { return false; }
    [[nodiscard]] Async* async() override { return &async_; }

    Result<Address> allocate(std::uint64_t bytes, std::string name) override {
        Pointer address = 0;
        const Status status = gpu_->call().allocate(&address, std::max<std::uint64_t>(bytes, 1));
        const Result<void> done = gpu_->check("cuMemAlloc", status, fmt::format("'{}' of {} bytes", name, bytes));
        if (!done) return with_free_memory(done.error());
        return address;
    }
    Result<void> free(Address address) override { return gpu_->check("cuMemFree", gpu_->call().free(address)); }
    Result<void> write(Address to, std::span<const std::byte> from) override {
        if (from.empty()) return {};
        return gpu_->check("cuMemcpyHtoD", gpu_->call().copy_to_device(to, from.data(), from.size()));
    }
    Result<void> read(std::span<std::byte> to, Address from) override {
        if (to.empty()) return {};
        return gpu_->check("cuMemcpyDtoH", gpu_->call().copy_to_host(to.data(), from, to.size()));
    }
    Result<void> fill(Address to, std::byte value, std::uint64_t bytes) override {
        if (bytes == 0) return {};
        return gpu_->check("cuMemsetD8", gpu_->call().fill(to, static_cast<unsigned char>(value), bytes));
    }
    Result<std::shared_ptr<Code>> load(std::string ptx, std::string file) override {
        return load_code(gpu_, std::move(ptx), std::move(file));
    }

    Result<LaunchRecord> launch(Kernel& kernel, const Launch& launch) override {
        const Result<double> time = run_once(kernel, launch);
        if (!time) return time.error();
        LaunchRecord record = record_of(kernel.info(), launch);
        record.index = launches_++;
        record.time_ns = {*time, async_.clock_source(), {}};
        return record;
    }

private:
    Result<Timing*> timing();
    Result<double> run_once(Kernel& kernel, const Launch& launch);
    [[nodiscard]] LaunchRecord record_of(const KernelInfo& kernel, const Launch& launch) const;
    [[nodiscard]] double floor_ns(const Launch& launch) const;
    [[nodiscard]] Diagnostic with_free_memory(Diagnostic error) const;

    std::shared_ptr<Gpu> gpu_;
    DeviceFacts facts_;
    arch::Gpu description_;
    CudaAsync async_;
    std::optional<Timing> timing_;
    std::uint32_t launches_ = 0;
};

Diagnostic CudaDevice::with_free_memory(Diagnostic error) const {
    std::size_t free = 0;
    std::size_t total = 0;
    if (gpu_->call().memory_info(&free, &total) == 0)
        error.notes.push_back(fmt::format("{} of {} bytes are free on {}", free, total, id()));
    return error;
}

Result<Timing*> CudaDevice::timing() {
    if (timing_) return &*timing_;
    Timing made;
    Result<std::unique_ptr<Stream>> stream = async_.make_stream();
    if (!stream) return stream.error();
    made.stream = *std::move(stream);
    for (std::unique_ptr<Event>* event : {&made.begin, &made.end}) {
        Result<std::unique_ptr<Event>> one = async_.make_event();
        if (!one) return one.error();
        *event = *std::move(one);
    }
    // Without the gate the time holds what the host needs between the two calls: still a time, if a longer one.
    if (Result<std::unique_ptr<Gate>> gate = async_.make_gate(gate_timeout_ns); gate) made.gate = *std::move(gate);
    timing_ = std::move(made);
    return &*timing_;
}

Result<double> CudaDevice::run_once(Kernel& kernel, const Launch& launch) {
    // Copies and fills go through the default stream, which this one does not wait for.
    if (const Result<void> ready = async_.synchronize(); !ready) return ready.error();
    const Result<Timing*> timer = timing();
    if (!timer) return timer.error();
    Timing& t = **timer;
    if (t.gate != nullptr) {
        if (const Result<bool> held = t.gate->close(*t.stream); !held) return held.error();
    }
    Result<void> queued = t.stream->record(*t.begin);
    if (queued) queued = t.stream->launch(kernel, launch);
    if (queued) queued = t.stream->record(*t.end);
    if (t.gate != nullptr) t.gate->open();
    const Status status = gpu_->call().stream_synchronize(reinterpret_cast<StreamHandle>(t.stream->handle()));
    // A fault first: whatever was queued after it failed because of it.
    if (const Result<void> done = gpu_->check("cuStreamSynchronize", status, "kernel " + kernel.info().display); !done) return done.error();
    if (!queued) return queued.error();
    return async_.elapsed_ns(*t.begin, *t.end);
}

double CudaDevice::floor_ns(const Launch& launch) const {
    const std::uint64_t distinct = launch.distinct_bytes != 0 ? launch.distinct_bytes : launch.useful_bytes;
    const double memory = arch::memory_bound(description_, static_cast<double>(launch.useful_bytes), static_cast<double>(distinct)).ns();
    double rate = description_.fp32_gflops();
    if (launch.operation_type == "fp64") rate = description_.fp64_gflops();
    if (launch.operation_type == "int32") rate = description_.sm_count * description_.throughput.int_add * description_.clock_ghz();
    return launch.operations > 0 && rate > 0 ? std::max(memory, launch.operations / rate) : memory;
}

LaunchRecord CudaDevice::record_of(const KernelInfo& kernel, const Launch& launch) const {
    LaunchRecord record;
    record.kernel = kernel.display;
    record.mangled = kernel.name;
    record.grid = launch.grid;
    record.block = launch.block;
    record.static_shared_bytes = kernel.static_shared_bytes;
    record.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    const bool emulated = gpu_->driver().emulated();
    record.registers_per_thread = {double(kernel.registers_per_thread), emulated ? Source::predicted : Source::measured, {}};
    const arch::Occupancy occupancy = arch::occupancy(description_.limits, description_.cc,
                                                      {static_cast<std::uint32_t>(launch.block.count()), kernel.registers_per_thread,
                                                       kernel.static_shared_bytes, launch.dynamic_shared_bytes});
    record.occupancy = {occupancy.blocks_per_sm, occupancy.warps_per_sm, description_.limits.max_warps_per_sm, occupancy.limiter};
    record.floor_ns = {floor_ns(launch), Source::theoretical, {}};
    return record;
}

} // namespace

Result<std::vector<DeviceFacts>> cuda_devices(const CudaLibraries& libraries) {
    Result<std::shared_ptr<const Driver>> driver = Driver::load(libraries.driver);
    if (!driver) return driver.error();
    Result<std::vector<DeviceFacts>> all = query_all(**driver, try_nvml(**driver, libraries.nvml).get());
    if (!all) return all.error();
    for (DeviceFacts& facts : *all)
        if (const Result<arch::Gpu> described = describe(facts); !described) return described.error();
    return all;
}

Result<std::unique_ptr<Device>> open_cuda(int ordinal, const CudaLibraries& libraries) {
    Result<std::shared_ptr<const Driver>> driver = Driver::load(libraries.driver);
    if (!driver) return driver.error();
    Result<std::shared_ptr<Gpu>> gpu = Gpu::open(*driver, ordinal);
    if (!gpu) return gpu.error();
    std::shared_ptr<const Nvml> nvml = try_nvml(**driver, libraries.nvml);
    Result<DeviceFacts> facts = query_facts(**driver, nvml.get(), ordinal);
    if (!facts) return facts.error();
    Result<arch::Gpu> description = describe(*facts);
    if (!description) return description.error();
    return std::unique_ptr<Device>(
        std::make_unique<CudaDevice>(*std::move(gpu), *std::move(facts), *std::move(description), std::move(nvml)));
}

} // namespace apod::device
