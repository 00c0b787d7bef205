#include "emu/library/heap.hpp"

#include "emu/check/allocations.hpp"

#include <cstring>
#include <iterator>
#include <utility>

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
    if (memory_.checks() != nullptr) memory_.checks()->set_heap(*base);
    taken_ = true;
    return true;
}

DeviceAddress DeviceHeap::allocate(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes == 0 || bytes > bytes_ || !take()) return 0;
    const DeviceAddress block = allocate_free(bytes);
    if (block != 0 || quarantine_.empty()) return block;
    for (const auto& [base, room] : std::exchange(quarantine_, {})) give_back(base, room);
    return allocate_free(bytes);
}

DeviceAddress DeviceHeap::allocate_free(std::uint64_t bytes) {
    const std::uint64_t wanted = (bytes + block_align - 1) / block_align * block_align;
    for (auto range = free_.begin(); range != free_.end(); ++range) {
        const auto [base, room] = *range;
        if (room < wanted) continue;
        free_.erase(range);
        if (room > wanted) free_.emplace(base + wanted, room - wanted);
        live_.emplace(base, wanted);
        used_ += wanted;
        std::memset(reinterpret_cast<void*>(base), 0xff, wanted); // unspecified on the GPU
        if (memory_.checks() != nullptr) (void)memory_.checks()->add_heap_block(base, bytes);
        return base;
    }
    return 0;
}

bool DeviceHeap::free(DeviceAddress block) {
    if (block == 0) return true;
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(block);
    if (found == live_.end()) return false;
    const std::uint64_t bytes = found->second;
    used_ -= bytes;
    live_.erase(found);
    if (memory_.checks() != nullptr) {
        memory_.checks()->remove_heap_block(block);
        quarantine_.emplace_back(block, bytes);
    } else {
        give_back(block, bytes);
    }
    return true;
}

void DeviceHeap::give_back(DeviceAddress block, std::uint64_t bytes) {
    // Neighbours that are free too become one range.
    auto after = free_.lower_bound(block);
    if (after != free_.end() && after->first == block + bytes) {
        bytes += after->second;
        after = free_.erase(after);
    }
    if (after != free_.begin())
        if (const auto before = std::prev(after); before->first + before->second == block) {
            before->second += bytes;
            return;
        }
    free_.emplace_hint(after, block, bytes);
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
