// Streams, events, graphs and gates of a GPU.
#pragma once

#include "device/async.hpp"
#include "device/cuda/module.hpp"

#include <memory>
#include <span>

namespace apod::device::cuda {

Result<std::unique_ptr<Stream>> make_stream(std::shared_ptr<Gpu> gpu, const arch::Gpu& description);
Result<std::unique_ptr<Event>> make_event(std::shared_ptr<Gpu> gpu, bool timed);
// Both of this device and reached. Milliseconds as the driver counts them, a float, in ns.
Result<double> elapsed_ns(const Gpu& gpu, const Event& from, const Event& to);

// A kernel that spins on a word of host memory until the host changes it or the time is over.
Result<std::unique_ptr<Gate>> make_gate(std::shared_ptr<Gpu> gpu, const arch::Gpu& description, double timeout_ns);

Result<std::unique_ptr<HostMemory>> allocate_host(std::shared_ptr<Gpu> gpu, HostMemoryKind kind, std::uint64_t bytes);
Result<std::unique_ptr<HostMemory>> pin(std::shared_ptr<Gpu> gpu, std::span<std::byte> pages);

} // namespace apod::device::cuda
