// What malloc and free in device code take from: one range of device memory, as cudaLimitMallocHeapSize sets its size. Blocks live until
// they are freed, over several launches.
#pragma once

#include "emu/memory.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace apod::emu {

class DeviceHeap {
public:
    static constexpr std::uint64_t default_bytes = 8ull << 20;

    explicit DeviceHeap(DeviceMemory& memory) : memory_(memory) {}

    // The size to take, at the first allocation; false: it has been taken already.
    bool set_bytes(std::uint64_t bytes);
    [[nodiscard]] std::uint64_t bytes() const;

    // 16-byte aligned; 0 when the heap is exhausted or no bytes are asked for. Safe to call from several threads.
    DeviceAddress allocate(std::uint64_t bytes);
    // False: not the start of a live block. Null is fine.
    bool free(DeviceAddress block);
    [[nodiscard]] std::uint64_t live_blocks() const;
    [[nodiscard]] std::uint64_t live_bytes() const;

private:
    bool take();
    DeviceAddress allocate_free(std::uint64_t bytes);
    void give_back(DeviceAddress block, std::uint64_t bytes);

    DeviceMemory& memory_;
    mutable std::mutex mutex_;
    std::uint64_t bytes_ = default_bytes;
    bool taken_ = false;
    std::uint64_t used_ = 0;
    std::map<DeviceAddress, std::uint64_t> free_; // by address: bytes
    std::unordered_map<DeviceAddress, std::uint64_t> live_;
    std::vector<std::pair<DeviceAddress, std::uint64_t>> quarantine_; // free, under checks: used again when there is nothing else
};

} // namespace apod::emu
