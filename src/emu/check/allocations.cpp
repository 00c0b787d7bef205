#include "emu/check/allocations.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace apod::emu {

ObjectId Allocations::add(std::uint64_t base, std::uint64_t bytes, std::string name, bool written) {
    const auto id = static_cast<ObjectId>(all_.size());
    all_.push_back({base, bytes, std::move(name), true, false, false, {}, WrittenBytes(bytes, written)});
    live_[base] = id;
    bottom_ = std::min(bottom_, base);
    end_ = std::max(end_, base + bytes);
    if (!written) top_ = std::max(top_, base + bytes);
    // What lay here before is forgotten: its addresses have a new owner.
    for (auto old = freed_.lower_bound(base); old != freed_.end() && old->first < base + bytes;) old = freed_.erase(old);
    return id;
}

ObjectId Allocations::add_heap_block(std::uint64_t base, std::uint64_t bytes) {
    const auto id = static_cast<ObjectId>(all_.size());
    all_.push_back({base, bytes, "malloc in device code", true, false, true, {}, WrittenBytes(bytes, false)});
    blocks_[base] = id;
    for (auto old = freed_.lower_bound(base); old != freed_.end() && old->first < base + bytes;) old = freed_.erase(old);
    return id;
}

void Allocations::set_heap(std::uint64_t base) {
    if (const auto found = live_.find(base); found != live_.end()) all_[found->second].heap = true;
}

void Allocations::set_origin(std::uint64_t base, std::uint32_t number, std::shared_ptr<const AllocationOrigin> origin) {
    const auto found = live_.find(base);
    if (found == live_.end()) return;
    all_[found->second].number = number;
    all_[found->second].origin = std::move(origin);
}

CheckObject Allocations::object(ObjectId id, std::uint64_t address) const {
    const CheckedAllocation& allocation = all_[id];
    CheckObject object{"global", allocation.name, allocation.bytes, static_cast<std::int64_t>(address - allocation.base)};
    object.number = allocation.number;
    if (allocation.origin != nullptr) {
        object.given_by = allocation.origin->call;
        object.given_at = allocation.origin->frames;
    }
    return object;
}

void Allocations::remove(std::uint64_t base, std::string freed_by) {
    const auto found = live_.find(base);
    if (found == live_.end()) return;
    CheckedAllocation& allocation = all_[found->second];
    allocation.live = false;
    allocation.freed_by = freeing_.empty() ? std::move(freed_by) : freeing_;
    allocation.written = WrittenBytes();
    freed_[base] = found->second;
    live_.erase(found);
    last_ = 0;
}

void Allocations::remove_heap_block(std::uint64_t base) {
    const auto found = blocks_.find(base);
    if (found == blocks_.end()) return;
    CheckedAllocation& block = all_[found->second];
    block.live = false;
    block.freed_by = freeing_.empty() ? "free in device code" : freeing_;
    block.written = WrittenBytes();
    freed_[base] = found->second;
    blocks_.erase(found);
    last_ = 0;
}

ObjectId Allocations::in(const ByBase& map, std::uint64_t address) const {
    auto after = map.upper_bound(address);
    if (after == map.begin()) return 0;
    const ObjectId id = std::prev(after)->second;
    return address - all_[id].base < all_[id].bytes ? id : 0;
}

ObjectId Allocations::find(std::uint64_t address) const {
    if (last_ != 0 && address - all_[last_].base < all_[last_].bytes) return last_;
    ObjectId id = in(live_, address);
    if (id != 0 && all_[id].heap)
        if (const ObjectId block = in(blocks_, address); block != 0) id = block;
    if (id != 0 && !all_[id].heap) last_ = id;
    return id;
}

ObjectId Allocations::pointed_at(std::uint64_t value) const {
    if (value < bottom_ || value > end_) return 0; // most values are no pointers
    ObjectId id = find(value);
    if (id != 0 && !all_[id].heap) return id;
    if (value == 0) return id;
    const ObjectId before = find(value - 1);
    return before != 0 && (id == 0 || all_[before].block) ? before : id;
}

ObjectId Allocations::freed_at(std::uint64_t address) const { return in(freed_, address); }

ObjectId Allocations::nearest(std::uint64_t address) const {
    if (live_.empty()) return 0;
    auto after = live_.upper_bound(address);
    if (after == live_.begin()) return after->second;
    const ObjectId before = std::prev(after)->second;
    if (after == live_.end()) return before;
    const std::uint64_t past = address - std::min(address, all_[before].end());
    return past <= after->first - address ? before : after->second;
}

void Allocations::wrote(std::uint64_t address, std::uint64_t bytes) {
    if (const ObjectId id = find(address); id != 0) all_[id].written.set(address - all_[id].base, bytes);
}

void Allocations::forgot(std::uint64_t address, std::uint64_t bytes) {
    if (const ObjectId id = find(address); id != 0) all_[id].written.clear(address - all_[id].base, bytes);
}

void Allocations::copied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    const ObjectId source = find(from);
    if (source == 0 || all_[source].written.all()) return wrote(to, bytes);
    const ObjectId target = find(to);
    if (target == 0) return;
    const std::uint64_t start = from - all_[source].base;
    const std::uint64_t into = to - all_[target].base;
    for (std::uint64_t at = 0; at < bytes; ++at) {
        if (all_[source].written.test(start + at, 1) != 0)
            all_[target].written.set(into + at, 1);
        else
            all_[target].written.clear(into + at, 1);
    }
}

std::vector<ObjectId> Allocations::live_heap_blocks() const {
    std::vector<ObjectId> ids;
    for (const auto& [base, id] : blocks_) ids.push_back(id);
    return ids;
}

} // namespace apod::emu
