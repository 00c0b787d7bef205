#include "runtime/core/memory_table.hpp"

#include "emu/check/allocations.hpp"
#include "emu/fresh_memory.hpp"
#include "runtime/core/failed_calls.hpp"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

namespace apod::runtime {
namespace {

const char* kind_name(MemoryKind kind) {
    switch (kind) {
    case MemoryKind::device: return "";
    case MemoryKind::host: return "pinned host memory";
    case MemoryKind::managed: return "managed memory";
    case MemoryKind::registered: return "registered host memory";
    }
    return "";
}

} // namespace

MemoryTable::MemoryTable(emu::DeviceMemory& memory, std::uint64_t bytes_of_a_device, int devices) :
    memory_(memory), capacity_(bytes_of_a_device), used_(static_cast<std::size_t>(devices)) {}

Error MemoryTable::allocate(MemoryKind kind, std::uint64_t bytes, int device, unsigned flags, emu::DeviceAddress& address) {
    address = 0;
    if (bytes == 0) return Error::success;
    std::uint64_t& used = used_[static_cast<std::size_t>(device)];
    if (kind == MemoryKind::device && bytes > capacity_ - used)
        return because(Error::memory_allocation, fmt::format("{} bytes, and {} of {} are free", bytes, capacity_ - used, capacity_));
    const Result<emu::DeviceAddress> base = memory_.allocate(bytes, kind_name(kind));
    if (!base) return Error::memory_allocation;
    if (kind == MemoryKind::device) used += bytes;
    // The host's pages come from the operating system, which clears them. Larger ones are fresh pages here too.
    constexpr std::uint64_t clear_limit = std::uint64_t{1} << 30;
    const bool clear = kind != MemoryKind::device && emu::fresh_memory() != emu::FreshMemory::zeros && bytes <= clear_limit;
    if (clear) std::memset(reinterpret_cast<void*>(*base), 0, bytes);
    held_.emplace(*base, Held{*base, bytes, kind, device, flags});
    // The host may write to all but device memory at any time.
    if (kind != MemoryKind::device && memory_.checks() != nullptr) memory_.checks()->wrote(*base, bytes);
    address = *base;
    if (on_allocate) on_allocate(address);
    return Error::success;
}

Error MemoryTable::free(MemoryKind kind, emu::DeviceAddress address) {
    if (address == 0) return Error::success;
    const auto found = held_.find(address);
    const auto refuse = [&] {
        if (on_bad_free) on_bad_free(address);
        return because(Error::invalid_value, fmt::format("at {:#x} begins no allocation of this kind", address));
    };
    if (found == held_.end()) return refuse();
    const MemoryKind held = found->second.kind;
    if (found->second.mapped) return Error::invalid_value;
    const bool fits = held == kind || (kind == MemoryKind::device && held == MemoryKind::managed); // cudaFree frees both
    if (!fits) return refuse();
    const Held gone = found->second;
    if (held == MemoryKind::device) used_[static_cast<std::size_t>(gone.device)] -= gone.bytes;
    held_.erase(found);
    if (!memory_.free(address)) return Error::invalid_value;
    if (after_free) after_free(gone);
    return Error::success;
}

Error MemoryTable::register_host(emu::DeviceAddress address, std::uint64_t bytes, int device, unsigned flags) {
    if (address == 0 || bytes == 0) return Error::invalid_value;
    if (!memory_.adopt(address, bytes, kind_name(MemoryKind::registered))) return Error::host_memory_already_registered;
    held_.emplace(address, Held{address, bytes, MemoryKind::registered, device, flags});
    return Error::success;
}

Error MemoryTable::unregister_host(emu::DeviceAddress address) {
    const auto found = held_.find(address);
    if (found == held_.end() || found->second.kind != MemoryKind::registered) return Error::host_memory_not_registered;
    held_.erase(found);
    return memory_.forget(address) ? Error::success : Error::host_memory_not_registered;
}

Error MemoryTable::map_device(emu::DeviceAddress address, std::uint64_t bytes, int device) {
    if (!memory_.adopt(address, bytes, "mapped device memory")) return Error::invalid_value;
    held_.emplace(address, Held{address, bytes, MemoryKind::device, device, 0, true});
    if (memory_.checks() != nullptr) memory_.checks()->wrote(address, bytes); // it may have been written through another mapping
    return Error::success;
}

void MemoryTable::unmap_device(emu::DeviceAddress address) {
    held_.erase(address);
    (void)memory_.forget(address);
}

Error MemoryTable::take(std::uint64_t bytes, int device) {
    std::uint64_t& used = used_[static_cast<std::size_t>(device)];
    if (bytes > capacity_ - used) return Error::memory_allocation;
    used += bytes;
    return Error::success;
}

void MemoryTable::free_all_of(int device) {
    for (auto it = held_.begin(); it != held_.end();) {
        const Held held = it->second;
        if (held.kind == MemoryKind::device && held.device == device && !held.mapped) {
            if (on_leak) on_leak(held);
            used_[static_cast<std::size_t>(device)] -= held.bytes;
            (void)memory_.free(held.base);
            if (after_free) after_free(held);
            it = held_.erase(it);
        } else {
            ++it;
        }
    }
}

void MemoryTable::report_leaks() const {
    if (!on_leak) return;
    for (const auto& [base, held] : held_)
        if (held.kind != MemoryKind::registered && !held.mapped) on_leak(held);
}

std::optional<Held> MemoryTable::find(emu::DeviceAddress address) const {
    const auto after = held_.upper_bound(address);
    if (after == held_.begin()) return std::nullopt;
    const Held& candidate = std::prev(after)->second;
    if (address - candidate.base >= candidate.bytes) return std::nullopt;
    return candidate;
}

std::uint64_t MemoryTable::free_bytes(int device) const { return capacity_ - used_[static_cast<std::size_t>(device)]; }

} // namespace apod::runtime
