// A GPU for tests of what times one: a host that needs time to queue, a stream that executes when the gate lets it, clocks that tell what
// was made up. Its time is its own; nothing sleeps.
#pragma once

#include "device/async.hpp"
#include "device/device.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace apod::bench::testing {

struct FakeGpuState {
    double host_ns = 0;             // the host's time
    double call_ns = 3000;          // what each queued call costs the host
    double ready_ns = 0;            // when the stream has done what may run
    double between_ns = 700;        // from one operation of the stream to the next,
    double in_graph_ns = 200;       // and from one of a graph to the next
    std::size_t queue_limit = 1000; // operations that fit behind a closed gate; one more waits for the gate's timeout
    double clock_mhz = 1980;
    std::uint64_t throttle = 0;
    Source source = Source::measured;
    bool gate_holds = true; // false: launches are executed as they are issued
    // Operations behind a closed gate, and the gate.
    bool closed = false;
    bool timed_out = false;
    double timeout_ns = 0;
    std::deque<std::function<void()>> waiting;
    bool capturing = false;
    bool can_capture = true;
    std::vector<std::function<void()>> captured;
    double flushed = 0; // flush kernels that ran
    double stirred = 0; // fills
    // What the state of L2 after a fill adds to each kernel: one of seven states.
    double state_ns = 0;
    [[nodiscard]] double extra_ns() const { return state_ns * std::fmod(stirred * 3, 7); }

    void run(double duration_ns) { ready_ns = std::max(ready_ns + between_ns, host_ns) + duration_ns; }
    void queue(std::function<void()> operation) {
        if (capturing) return captured.push_back(std::move(operation));
        host_ns += call_ns;
        if (!closed) return operation();
        if (waiting.size() >= queue_limit) time_out();
        if (!closed) return operation();
        waiting.push_back(std::move(operation));
    }
    void time_out() {
        timed_out = true;
        host_ns += timeout_ns;
        open();
    }
    void open() {
        if (!closed) return;
        closed = false;
        ready_ns = std::max(ready_ns, host_ns);
        for (const auto& operation : std::exchange(waiting, {})) operation();
    }
    void synchronize() {
        if (closed) time_out();
        host_ns = std::max(host_ns, ready_ns);
    }
};

class FakeEvent final : public device::Event {
public:
    explicit FakeEvent(FakeGpuState& state) : state_(state) {}
    Result<void> synchronize() override {
        state_.synchronize();
        return {};
    }
    Result<bool> reached() override { return !state_.closed; }
    double at_ns = 0;

private:
    FakeGpuState& state_;
};

class FakeGraph final : public device::Graph {
public:
    std::vector<std::function<void()>> operations;
};

class FakeKernelOfGpu final : public device::Kernel {
public:
    explicit FakeKernelOfGpu(std::string name) { info_.name = info_.display = std::move(name); }
    [[nodiscard]] const device::KernelInfo& info() const override { return info_; }

private:
    device::KernelInfo info_;
};

class FakeCodeOfGpu final : public device::Code {
public:
    [[nodiscard]] std::vector<std::string> kernel_names() const override { return {}; }
    Result<std::shared_ptr<device::Kernel>> kernel(std::string_view name) override {
        return std::shared_ptr<device::Kernel>(std::make_shared<FakeKernelOfGpu>(std::string(name)));
    }
};

class FakeGpuStream final : public device::Stream {
public:
    explicit FakeGpuStream(FakeGpuState& state) : state_(state) {}
    [[nodiscard]] std::uintptr_t handle() const override { return 1; }
    Result<void> launch(device::Kernel& kernel, const device::Launch& launch) override {
        const std::string& name = kernel.info().name;
        std::uint64_t arguments[2] = {};
        const std::size_t given = std::min(launch.parameters.size(), sizeof arguments);
        if (given > 0) std::memcpy(arguments, launch.parameters.data(), given); // nothing has no address
        if (name == "apod_stamp") {
            state_.queue([this, arguments, sms = launch.grid.x] { stamp(arguments[0], arguments[1], sms); });
        } else if (name == "apod_empty") {
            state_.queue([this] { state_.run(0); });
        } else if (name == "apod_flush") {
            state_.queue([this] {
                state_.flushed += 1;
                state_.run(40e3);
            });
        }
        return {};
    }
    Result<void> launch(device::Graph& graph) override {
        state_.queue([this, operations = static_cast<FakeGraph&>(graph).operations] {
            state_.run(1000); // until the first of it starts
            const double between = std::exchange(state_.between_ns, state_.in_graph_ns);
            for (const auto& operation : operations) operation();
            state_.between_ns = between;
        });
        return {};
    }
    Result<void> fill(device::Address, std::byte, std::uint64_t) override {
        state_.queue([this] {
            state_.stirred += 1;
            state_.run(50e3);
        });
        return {};
    }
    Result<void> copy(device::Address, device::Address, std::uint64_t) override { return {}; }
    Result<void> write(device::Address, std::span<const std::byte>) override { return {}; }
    Result<void> read(std::span<std::byte>, device::Address) override { return {}; }
    Result<void> record(device::Event& event) override {
        state_.queue([this, &event] {
            state_.ready_ns = std::max(state_.ready_ns, state_.host_ns) + 300;
            static_cast<FakeEvent&>(event).at_ns = state_.ready_ns;
        });
        return {};
    }
    Result<void> wait(device::Event&) override { return {}; }
    Result<void> synchronize() override {
        state_.synchronize();
        return {};
    }
    Result<bool> idle() override { return !state_.closed; }
    Result<void> begin_capture() override {
        if (!state_.can_capture) return unavailable("no graphs here");
        state_.capturing = true;
        state_.captured.clear();
        return {};
    }
    Result<std::unique_ptr<device::Graph>> end_capture() override {
        state_.capturing = false;
        auto graph = std::make_unique<FakeGraph>();
        graph->operations = std::move(state_.captured);
        return std::unique_ptr<device::Graph>(std::move(graph));
    }

private:
    void stamp(std::uint64_t address, std::uint64_t sequence, std::uint32_t sms) {
        state_.run(1500);
        for (std::uint32_t sm = 0; sm < sms; ++sm) {
            const std::uint64_t values[3] = {sequence, static_cast<std::uint64_t>(state_.ready_ns * state_.clock_mhz / 1000),
                                             static_cast<std::uint64_t>(state_.ready_ns)};
            std::memcpy(reinterpret_cast<std::byte*>(address) + sm * sizeof values, values, sizeof values);
        }
    }
    FakeGpuState& state_;
};

class FakeGate final : public device::Gate {
public:
    explicit FakeGate(FakeGpuState& state) : state_(state) {}
    Result<bool> close(device::Stream&) override {
        state_.timed_out = false;
        state_.closed = state_.gate_holds;
        return state_.gate_holds;
    }
    void open() override { state_.open(); }
    [[nodiscard]] bool timed_out() const override { return state_.timed_out; }

private:
    FakeGpuState& state_;
};

class FakeHostMemory final : public device::HostMemory {
public:
    explicit FakeHostMemory(std::uint64_t bytes) : memory_(bytes) {}
    [[nodiscard]] std::span<std::byte> bytes() const override { return memory_; }
    [[nodiscard]] device::Address device_address() const override { return reinterpret_cast<device::Address>(memory_.data()); }

private:
    mutable std::vector<std::byte> memory_;
};

class FakeGpu final : public device::Device, public device::Async {
public:
    FakeGpu() {
        gpu_.id = "fake";
        gpu_.sm_count = 4;
        gpu_.caches.l2_bytes = 1 << 20;
    }
    FakeGpuState state;
    bool has_clock = true;

    // Work of a test: a kernel of that duration.
    [[nodiscard]] std::function<Result<void>(device::Stream&)> kernel(double duration_ns) {
        return [this, duration_ns](device::Stream&) {
            state.queue([this, duration_ns] { state.run(duration_ns + state.extra_ns()); });
            return Result<void>();
        };
    }

    [[nodiscard]] std::string id() const override { return "cuda:fake"; }
    [[nodiscard]] const arch::Gpu& gpu() const override { return gpu_; }
    [[nodiscard]] bool is_emulated() const override { return false; }
    Result<device::Address> allocate(std::uint64_t, std::string) override { return device::Address{4096}; }
    Result<void> free(device::Address) override { return {}; }
    Result<void> write(device::Address, std::span<const std::byte>) override { return {}; }
    Result<void> read(std::span<std::byte>, device::Address) override { return {}; }
    Result<void> fill(device::Address, std::byte, std::uint64_t) override { return {}; }
    Result<std::shared_ptr<device::Code>> load(std::string, std::string) override {
        return std::shared_ptr<device::Code>(std::make_shared<FakeCodeOfGpu>());
    }
    Result<LaunchRecord> launch(device::Kernel&, const device::Launch&) override { return LaunchRecord(); }
    Async* async() override { return has_clock ? this : nullptr; }

    [[nodiscard]] Source clock_source() const override { return state.source; }
    [[nodiscard]] double clock_step_ns() const override { return 32; }
    Result<std::unique_ptr<device::Stream>> make_stream() override {
        return std::unique_ptr<device::Stream>(std::make_unique<FakeGpuStream>(state));
    }
    Result<std::unique_ptr<device::Event>> make_event() override {
        return std::unique_ptr<device::Event>(std::make_unique<FakeEvent>(state));
    }
    Result<double> elapsed_ns(const device::Event& from, const device::Event& to) override {
        return static_cast<const FakeEvent&>(to).at_ns - static_cast<const FakeEvent&>(from).at_ns;
    }
    Result<std::unique_ptr<device::Graph>> make_graph(std::span<const device::GraphKernel>) override { return unavailable("no graphs"); }
    Result<std::unique_ptr<device::Gate>> make_gate(double timeout_ns) override {
        state.timeout_ns = timeout_ns;
        return std::unique_ptr<device::Gate>(std::make_unique<FakeGate>(state));
    }
    Result<void> synchronize() override {
        state.synchronize();
        return {};
    }
    Result<std::unique_ptr<device::HostMemory>> allocate_host(device::HostMemoryKind, std::uint64_t bytes) override {
        return std::unique_ptr<device::HostMemory>(std::make_unique<FakeHostMemory>(bytes));
    }
    Result<std::unique_ptr<device::HostMemory>> pin(std::span<std::byte>) override { return unavailable("no pinning"); }
    Result<void> reset_persisting_l2() override { return {}; }
    Result<device::ClockState> clocks() override {
        device::ClockState clocks;
        clocks.throttle_reasons = state.throttle;
        return clocks;
    }

private:
    arch::Gpu gpu_;
};

} // namespace apod::bench::testing
