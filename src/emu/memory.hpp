// The emulated device memory: allocations with known bounds in one address range.
//
// A device address is also a host address: the range is reserved at a fixed place (so that runs are repeatable, L2 hashing included) and
// pages are backed when touched. Allocations are aligned to 256 B as cudaMalloc's are, and separated by a guard gap.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace apod::emu {

using DeviceAddress = std::uint64_t;

struct Allocation {
    DeviceAddress base = 0;
    std::uint64_t bytes = 0;
    std::string name; // "in", "out", or empty: for messages
    bool read_only = false;
};

class Allocations;
class DeviceHeap;
class TextureTable;

class DeviceMemory {
public:
    // `capacity_bytes` is the emulated GPU's memory size; allocating beyond it fails as on the GPU.
    explicit DeviceMemory(std::uint64_t capacity_bytes);
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    // Fresh allocations hold unspecified bytes (0xFF). Zero bytes is an error; so is exceeding the capacity (unavailable, with both sizes).
    Result<DeviceAddress> allocate(std::uint64_t bytes, std::string name, std::uint64_t align = 256);
    Result<void> free(DeviceAddress base);

    // Makes a range of host memory usable by kernels at its own address, as cudaHostRegister does; it takes nothing of the capacity. The
    // memory stays its owner's and must live until forget(). A range that overlaps a live allocation is bad_input.
    Result<void> adopt(DeviceAddress base, std::uint64_t bytes, std::string name);
    Result<void> forget(DeviceAddress base);

    // What malloc in device code takes from; it takes its range of this memory when it is first used.
    [[nodiscard]] DeviceHeap& heap();
    // The handles of textures and surfaces that kernels may use.
    [[nodiscard]] TextureTable& textures();
    [[nodiscard]] const TextureTable& textures() const;

    // The live allocation that contains the address, if any; and the nearest one, for messages.
    [[nodiscard]] std::optional<Allocation> find(DeviceAddress address) const;
    [[nodiscard]] std::optional<Allocation> nearest(DeviceAddress address) const;
    [[nodiscard]] std::uint64_t used_bytes() const;

    // From now on every allocation is remembered for the checks of `apod check`, and memory that is free is not given out again while there
    // is other. Before anything is allocated.
    void enable_checks();
    [[nodiscard]] Allocations* checks() const; // null: not enabled

    // Host copies; errors when the range is not inside one live allocation.
    Result<void> write(DeviceAddress to, const void* from, std::uint64_t bytes);
    Result<void> read(void* to, DeviceAddress from, std::uint64_t bytes) const;
    Result<void> fill(DeviceAddress to, std::byte value, std::uint64_t bytes);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace apod::emu
