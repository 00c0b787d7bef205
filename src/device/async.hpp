// Work that is queued and timed: streams, events, graphs, host memory that copies reach. What src/bench and `apod transfer` measure with;
// Device::async() gives it. A device without a clock of its own (emulated, replayed) has none: its times are in its LaunchRecords.
//
// Everything made here belongs to the device and must not outlive it. Nothing here is safe from several threads at once. Every error names
// the driver's call, its code and a cause in plain words; after a kernel's fault every later call of the device fails with that fault.
#pragma once

#include "apod/record.hpp"
#include "base/result.hpp"
#include "device/device.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apod::device {

// A point of a stream, reached when all work queued before it is done.
class Event {
public:
    virtual ~Event() = default;
    virtual Result<void> synchronize() = 0; // the host waits for it
    virtual Result<bool> reached() = 0;     // asks without waiting
};

// Work made executable once, launched by one call.
class Graph {
public:
    virtual ~Graph() = default;
};

// A kernel with its launch, as a node of a graph.
struct GraphKernel {
    Kernel* kernel = nullptr;
    Launch launch;
};

// Queued calls return as soon as the driver has taken them; what goes wrong on the device may be told by a later call.
class Stream {
public:
    virtual ~Stream() = default;
    [[nodiscard]] virtual std::uintptr_t handle() const = 0; // CUstream; cudaStream_t is the same

    // Checks the launch's shape as Device::launch does, with no record of it.
    virtual Result<void> launch(Kernel& kernel, const Launch& launch) = 0;
    virtual Result<void> launch(Graph& graph) = 0;
    virtual Result<void> fill(Address to, std::byte value, std::uint64_t bytes) = 0;
    // Between any of this device's memory, HostMemory's device addresses and other devices' memory (unified addresses).
    virtual Result<void> copy(Address to, Address from, std::uint64_t bytes) = 0;
    // From and to host memory of any kind. Pageable memory makes the driver stage, and the call may then wait for the copy.
    virtual Result<void> write(Address to, std::span<const std::byte> from) = 0;
    virtual Result<void> read(std::span<std::byte> to, Address from) = 0;

    virtual Result<void> record(Event& event) = 0;
    virtual Result<void> wait(Event& event) = 0; // later work of this stream waits for it
    virtual Result<void> synchronize() = 0;
    virtual Result<bool> idle() = 0; // all queued work is done

    // What is queued between the two becomes a graph in place of running.
    virtual Result<void> begin_capture() = 0;
    virtual Result<std::unique_ptr<Graph>> end_capture() = 0;
};

// Holds a stream back until the host lets go, so that all of a sample is queued before its first kernel starts.
class Gate {
public:
    virtual ~Gate() = default;
    // Queues the wait; an emulated driver's clock is held instead. False where nothing is held.
    virtual Result<bool> close(Stream& stream) = 0;
    virtual void open() = 0;
    // After the stream was synchronised: the gate gave up before open() was called, so something in the sample waited for the device.
    [[nodiscard]] virtual bool timed_out() const = 0;
};

enum class HostMemoryKind : std::uint8_t {
    pinned,         // page-locked
    write_combined, // page-locked, fast to write and to copy from, very slow to read by the host
    mapped,         // page-locked, kernels use it at device_address()
    managed         // one address for both, moved on demand: keep it small
};

class HostMemory {
public:
    virtual ~HostMemory() = default;
    [[nodiscard]] virtual std::span<std::byte> bytes() const = 0;
    [[nodiscard]] virtual Address device_address() const = 0;
};

// The GPU's state at one moment, from NVML. Empty: not told (no NVML, or the GPU does not say).
struct ClockState {
    std::optional<double> sm_mhz;
    std::optional<double> memory_mhz;
    std::optional<double> temperature_c;
    std::optional<double> power_w;
    std::optional<std::uint64_t> throttle_reasons; // NVML's bits; 0: none
};

// The reasons that slow a busy GPU down (power or heat limits, a slowdown by hardware), named; empty when there are none. An idle GPU and
// clocks that somebody set are not among them.
[[nodiscard]] std::vector<std::string> throttle_names(std::uint64_t reasons);

class Async {
public:
    virtual ~Async() = default;
    // Of the times between events: measured on a GPU, predicted where the driver is our emulated one.
    [[nodiscard]] virtual Source clock_source() const = 0;
    // Steps of the clock that events read, in ns: 32 from compute capability 9.0 on, about 1000 before.
    [[nodiscard]] virtual double clock_step_ns() const = 0;

    virtual Result<std::unique_ptr<Stream>> make_stream() = 0;
    virtual Result<std::unique_ptr<Event>> make_event() = 0;
    // One for order alone, which no time can be asked of: a time stamp holds a copy engine up for some microseconds.
    virtual Result<std::unique_ptr<Event>> make_order_event() { return make_event(); }
    // Both must have been reached.
    virtual Result<double> elapsed_ns(const Event& from, const Event& to) = 0;
    // Kernels that run one after another.
    virtual Result<std::unique_ptr<Graph>> make_graph(std::span<const GraphKernel> chain) = 0;
    // `timeout_ns` after which the gate opens by itself.
    virtual Result<std::unique_ptr<Gate>> make_gate(double timeout_ns) = 0;
    virtual Result<void> synchronize() = 0; // everything on the device

    virtual Result<std::unique_ptr<HostMemory>> allocate_host(HostMemoryKind kind, std::uint64_t bytes) = 0;
    // Locks pages that the caller already has, until the result goes.
    virtual Result<std::unique_ptr<HostMemory>> pin(std::span<std::byte> pages) = 0;

    // Lines that an access policy keeps in L2 become ordinary ones. Nothing to do before 8.0.
    virtual Result<void> reset_persisting_l2() = 0;
    virtual Result<ClockState> clocks() = 0;
};

} // namespace apod::device
