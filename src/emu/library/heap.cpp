#include "emu/library/heap.hpp"

#include <cstring>
#include <iterator>

namespace apod::emu {

namespace {

constexpr std::uint64_t block_align = 16;

} // namespace

bool DeviceHeap::set_bytes(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (taken_) return false;
    bytes_ = bytes / block_align * block_align;
    return true;
}

std::uint64_t DeviceHeap::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

bool DeviceHeap::take() {
    if (taken_) return true;
    const auto base = memory_.allocate(bytes_, "the heap of device code");
    if (!base) return false;
    free_.emplace(*base, bytes_);
    taken_ = true;
    return true;
}

DeviceAddress DeviceHeap::allocate(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes == 0 || bytes > bytes_ || !take()) return 0;
    const std::uint64_t wanted = (bytes + block_align - 1) / block_align * block_align;
    for (auto range = free_.begin(); range != free_.end(); ++range) {
        const auto [base, room] = *range;
        if (room < wanted) continue;
        free_.erase(range);
        if (room > wanted) free_.emplace(base + wanted, room - wanted);
        live_.emplace(base, wanted);
        used_ += wanted;
        std::memset(reinterpret_cast<void*>(base), 0xff, wanted); // unspecified on the GPU
        return base;
    }
    return 0;
}

bool DeviceHeap::free(DeviceAddress block) {
    if (block == 0) return true;
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(block);
    if (found == live_.end()) return false;
    std::uint64_t bytes = found->second;
    used_ -= bytes;
    live_.erase(found);
    // Neighbours that are free too become one range.
    auto after = free_.lower_bound(block);
    if (after != free_.end() && after->first == block + bytes) {
        bytes += after->second;
        after = free_.erase(after);
    }
    if (after != free_.begin())
        if (const auto before = std::prev(after); before->first + before->second == block) {
            before->second += bytes;
            return true;
        }
    free_.emplace_hint(after, block, bytes);
    return true;
}

std::uint64_t DeviceHeap::live_blocks() const {
    const std::lock_guard lock(mutex_);
    return live_.size();
}

std::uint64_t DeviceHeap::live_bytes() const {
    const std::lock_guard lock(mutex_);
    return used_;
}

} // namespace apod::emu
