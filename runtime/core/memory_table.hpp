// What the program has allocated, by kind. All of it lies in the emulated device memory, whose addresses are host addresses: so every
// device, and the host, sees the same bytes at the same address, and managed and mapped memory need nothing further.
#pragma once

#include "emu/memory.hpp"
#include "runtime/core/error.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace apod::runtime {

enum class MemoryKind : std::uint8_t { device, host, managed, registered };

struct Held {
    emu::DeviceAddress base = 0;
    std::uint64_t bytes = 0;
    MemoryKind kind = MemoryKind::device;
    int device = 0;
    unsigned flags = 0;  // of cudaHostAlloc or cudaHostRegister
    bool mapped = false; // device memory that another has mapped to this address, and will unmap
};

class MemoryTable {
public:
    MemoryTable(emu::DeviceMemory& memory, std::uint64_t bytes_of_a_device, int devices);

    // Device memory counts against its device's size. Zero bytes give address 0.
    Error allocate(MemoryKind kind, std::uint64_t bytes, int device, unsigned flags, emu::DeviceAddress& address);
    // invalid_value where no allocation of that kind begins at the address; address 0 is fine.
    Error free(MemoryKind kind, emu::DeviceAddress address);
    Error register_host(emu::DeviceAddress address, std::uint64_t bytes, int device, unsigned flags);
    Error unregister_host(emu::DeviceAddress address);
    // Memory that somebody has mapped there is the device's, until unmap_device(); what it takes of the device's size, take() and give()
    // say.
    Error map_device(emu::DeviceAddress address, std::uint64_t bytes, int device);
    void unmap_device(emu::DeviceAddress address);
    Error take(std::uint64_t bytes, int device);
    void give(std::uint64_t bytes, int device) { used_[static_cast<std::size_t>(device)] -= bytes; }
    void free_all_of(int device);
    // Called for every address that allocate() gives, for every one that free() refuses, and for what is still held when a device is reset;
    // by the checks.
    std::function<void(emu::DeviceAddress)> on_allocate;
    std::function<void(emu::DeviceAddress)> on_bad_free;
    std::function<void(const Held&)> on_leak;
    std::function<void(const Held&)> after_free; // of device memory
    void report_leaks() const;

    [[nodiscard]] std::optional<Held> find(emu::DeviceAddress address) const;
    [[nodiscard]] std::uint64_t free_bytes(int device) const;

private:
    emu::DeviceMemory& memory_;
    std::uint64_t capacity_;
    std::vector<std::uint64_t> used_; // by device
    std::map<emu::DeviceAddress, Held> held_;
};

} // namespace apod::runtime
