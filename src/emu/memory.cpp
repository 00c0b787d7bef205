#include "emu/memory.hpp"

#include "emu/check/allocations.hpp"
#include "emu/fresh_memory.hpp"
#include "emu/library/heap.hpp"
#include "emu/stray.hpp"
#include "emu/texture/table.hpp"

#include <fmt/format.h>

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

namespace apod::emu {

namespace {

// Where the range is reserved. Both AddressSanitizer and ThreadSanitizer leave programs this part of the address space, and the kernel
// places nothing there by itself, so that device addresses are the same in every run.
constexpr std::uint64_t preferred_base = 0x7e9000000000ull;
constexpr std::uint64_t gap_bytes = 4096; // between allocations: small overruns hit nothing live
constexpr std::uint64_t smallest_reservation = 1ull << 32;
constexpr std::uint64_t poison_limit = 256ull << 20;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

struct Reservation {
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;
};

std::uint64_t try_reserve(std::uint64_t at, std::uint64_t bytes) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at != 0 ? MAP_FIXED_NOREPLACE : 0);
    void* address = mmap(reinterpret_cast<void*>(at), bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (address == MAP_FAILED) return 0;
    const auto base = reinterpret_cast<std::uint64_t>(address);
    if (at != 0 && base != at) { // a kernel older than MAP_FIXED_NOREPLACE took it as a hint
        munmap(address, bytes);
        return 0;
    }
    return base;
}

// A second DeviceMemory of the process finds the preferred place taken and goes to the next one, a terabyte further at most.
Reservation reserve(std::uint64_t wanted) {
    for (std::uint64_t bytes = wanted; bytes >= smallest_reservation; bytes /= 2) {
        for (int attempt = 0; attempt < 8; ++attempt)
            if (const std::uint64_t base = try_reserve(preferred_base + attempt * round_up(bytes, 1ull << 36), bytes)) return {base, bytes};
        if (const std::uint64_t base = try_reserve(0, bytes)) return {base, bytes};
    }
    return {};
}

std::atomic<FreshMemory> fresh = FreshMemory::poison;

// Of all memories of the process.
std::mutex ranges_mutex;
std::map<std::uint64_t, std::uint64_t> ranges; // begin to end

} // namespace

void set_fresh_memory(FreshMemory kind) { fresh = kind; }

FreshMemory fresh_memory() { return fresh; }

struct DeviceMemory::State {
    explicit State(DeviceMemory& memory) : heap(memory) {}

    mutable std::mutex mutex;
    std::uint64_t capacity = 0;
    std::uint64_t used = 0;
    bool zeros = fresh_memory() == FreshMemory::zeros; // then all memory that is not allocated holds zeros
    Reservation reservation;
    std::map<DeviceAddress, Allocation> live; // by base
    DeviceHeap heap;
    std::unique_ptr<Allocations> checks;
    TextureTable textures;

    [[nodiscard]] const Allocation* containing(DeviceAddress address) const {
        auto after = live.upper_bound(address);
        if (after == live.begin()) return nullptr;
        const Allocation& candidate = std::prev(after)->second;
        return address - candidate.base < candidate.bytes ? &candidate : nullptr;
    }

    [[nodiscard]] bool reserved(DeviceAddress address) const { // false: the host's own memory, adopted
        return address >= reservation.base && address - reservation.base < reservation.bytes;
    }

    // Whole pages go back to the host, which gives fresh ones (of zeros) at the next touch.
    void give_back(DeviceAddress begin, DeviceAddress end) const {
        constexpr std::uint64_t page = 4096;
        const std::uint64_t first = std::min(round_up(begin, page), end);
        const std::uint64_t last = std::max(end / page * page, first);
        if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
        if (!zeros) return;
        std::memset(reinterpret_cast<void*>(begin), 0, first - begin);
        std::memset(reinterpret_cast<void*>(last), 0, end - last);
    }

    // First fit between the live allocations: freed space is used again, lowest address first, as repeatable as the calls are.
    [[nodiscard]] DeviceAddress first_fit(std::uint64_t bytes, std::uint64_t align) const {
        std::uint64_t at = round_up(reservation.base + gap_bytes, align);
        const DeviceAddress end = reservation.base + reservation.bytes;
        if (checks != nullptr && checks->top() >= reservation.base) {
            const std::uint64_t unused = round_up(checks->top() + gap_bytes, align);
            if (unused + bytes <= end) return unused;
        }
        for (auto it = live.lower_bound(reservation.base); it != live.end() && it->first < end; ++it) { // adopted ranges lie outside
            const auto& [base, allocation] = *it;
            if (at + bytes + gap_bytes <= base) return at;
            at = round_up(base + allocation.bytes + gap_bytes, align);
        }
        return at + bytes <= end ? at : 0;
    }

    Result<void> check_range(DeviceAddress address, std::uint64_t bytes, const char* what) const {
        const Allocation* allocation = containing(address);
        if (allocation == nullptr)
            return bad_input({}, fmt::format("{} of {} bytes at {:#x}, which no allocation contains", what, bytes, address));
        if (bytes > allocation->base + allocation->bytes - address)
            return bad_input({}, fmt::format("{} of {} bytes at {:#x} runs past the end of its allocation of {} bytes at {:#x}", what,
                                             bytes, address, allocation->bytes, allocation->base));
        return {};
    }
};

DeviceMemory::DeviceMemory(std::uint64_t capacity_bytes) : state_(std::make_unique<State>(*this)) {
    state_->capacity = capacity_bytes;
    state_->reservation = reserve(std::max(round_up(capacity_bytes + capacity_bytes / 8, 1ull << 30), smallest_reservation));
    const std::lock_guard lock(ranges_mutex);
    ranges[state_->reservation.base] = state_->reservation.base + state_->reservation.bytes;
}

bool in_device_range(DeviceAddress first, DeviceAddress end) {
    const std::lock_guard lock(ranges_mutex);
    const auto after = ranges.upper_bound(first);
    return after != ranges.begin() && end <= std::prev(after)->second;
}

DeviceMemory::~DeviceMemory() {
    {
        const std::lock_guard lock(ranges_mutex);
        ranges.erase(state_->reservation.base);
    }
    if (state_->reservation.base != 0) munmap(reinterpret_cast<void*>(state_->reservation.base), state_->reservation.bytes);
}

Result<DeviceAddress> DeviceMemory::allocate(std::uint64_t bytes, std::string name, std::uint64_t align) {
    const std::lock_guard lock(state_->mutex);
    if (bytes == 0) return bad_input({}, fmt::format("allocation '{}' has no bytes", name), "give the buffer at least one element");
    if (bytes > state_->capacity - state_->used)
        return unavailable(fmt::format("out of device memory: '{}' needs {} bytes, {} of {} are free", name, bytes,
                                       state_->capacity - state_->used, state_->capacity),
                           "choose a smaller problem or a device with more memory");
    const DeviceAddress base = state_->first_fit(bytes, std::max<std::uint64_t>(align, 256));
    if (base == 0)
        return unavailable(fmt::format("this process cannot reserve {} bytes of address space for '{}'", bytes, name),
                           "raise the limit on virtual memory (ulimit -v) or choose a smaller problem");
    // Poison shows reads of what nothing wrote (0xFF.. is a NaN); huge allocations stay untouched so that only what is used is resident.
    if (!state_->zeros && bytes <= poison_limit) std::memset(reinterpret_cast<void*>(base), 0xff, bytes);
    state_->live.emplace(base, Allocation{base, bytes, std::move(name), false});
    state_->used += bytes;
    if (state_->checks != nullptr) (void)state_->checks->add(base, bytes, state_->live.at(base).name, false);
    return base;
}

void DeviceMemory::enable_checks() {
    if (state_->checks == nullptr) state_->checks = std::make_unique<Allocations>();
}

Allocations* DeviceMemory::checks() const { return state_->checks.get(); }

Result<void> DeviceMemory::free(DeviceAddress base) {
    const std::lock_guard lock(state_->mutex);
    auto found = state_->live.find(base);
    if (found == state_->live.end() || !state_->reserved(base))
        return bad_input({}, fmt::format("{:#x} is not the start of a live allocation", base));
    state_->give_back(base, base + found->second.bytes);
    state_->used -= found->second.bytes;
    state_->live.erase(found);
    if (state_->checks != nullptr) state_->checks->remove(base, "the host's part of the program");
    return {};
}

Result<void> DeviceMemory::adopt(DeviceAddress base, std::uint64_t bytes, std::string name) {
    const std::lock_guard lock(state_->mutex);
    const DeviceAddress end = base + bytes;
    if (base == 0 || bytes == 0 || end < base)
        return bad_input({}, fmt::format("host memory '{}' of {} bytes at {:#x}", name, bytes, base));
    const bool inside = base < state_->reservation.base + state_->reservation.bytes && end > state_->reservation.base;
    const auto after = state_->live.lower_bound(base);
    const bool overlaps = state_->containing(base) != nullptr || (after != state_->live.end() && after->first < end);
    if (inside || overlaps) return bad_input({}, fmt::format("host memory at {:#x} overlaps memory of the device", base));
    if (state_->checks != nullptr) (void)state_->checks->add(base, bytes, name, true);
    state_->live.emplace(base, Allocation{base, bytes, std::move(name), false});
    return {};
}

Result<void> DeviceMemory::forget(DeviceAddress base) {
    const std::lock_guard lock(state_->mutex);
    if (state_->reserved(base) || state_->live.erase(base) == 0)
        return bad_input({}, fmt::format("no host memory was adopted at {:#x}", base));
    if (state_->checks != nullptr) state_->checks->remove(base, "the host (it is registered no more)");
    return {};
}

DeviceHeap& DeviceMemory::heap() { return state_->heap; }
TextureTable& DeviceMemory::textures() { return state_->textures; }
const TextureTable& DeviceMemory::textures() const { return state_->textures; }

std::optional<Allocation> DeviceMemory::find(DeviceAddress address) const {
    const std::lock_guard lock(state_->mutex);
    const Allocation* allocation = state_->containing(address);
    return allocation != nullptr ? std::optional(*allocation) : std::nullopt;
}

std::optional<Allocation> DeviceMemory::nearest(DeviceAddress address) const {
    const std::lock_guard lock(state_->mutex);
    if (state_->live.empty()) return std::nullopt;
    auto after = state_->live.upper_bound(address);
    if (after == state_->live.begin()) return after->second;
    const Allocation& before = std::prev(after)->second;
    if (after == state_->live.end()) return before;
    const std::uint64_t past_end = address - std::min(address, before.base + before.bytes);
    return past_end <= after->second.base - address ? before : after->second;
}

std::uint64_t DeviceMemory::used_bytes() const {
    const std::lock_guard lock(state_->mutex);
    return state_->used;
}

Result<void> DeviceMemory::write(DeviceAddress to, const void* from, std::uint64_t bytes) {
    const std::lock_guard lock(state_->mutex);
    if (auto checked = state_->check_range(to, bytes, "a copy to the device"); !checked) return checked;
    if (bytes != 0) std::memcpy(reinterpret_cast<void*>(to), from, bytes); // of nothing the pointer may be null
    if (state_->checks != nullptr) state_->checks->wrote(to, bytes);
    return {};
}

Result<void> DeviceMemory::read(void* to, DeviceAddress from, std::uint64_t bytes) const {
    const std::lock_guard lock(state_->mutex);
    if (auto checked = state_->check_range(from, bytes, "a copy from the device"); !checked) return checked;
    if (bytes != 0) std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return {};
}

Result<void> DeviceMemory::fill(DeviceAddress to, std::byte value, std::uint64_t bytes) {
    const std::lock_guard lock(state_->mutex);
    if (auto checked = state_->check_range(to, bytes, "a fill"); !checked) return checked;
    std::memset(reinterpret_cast<void*>(to), static_cast<int>(value), bytes);
    if (state_->checks != nullptr) state_->checks->wrote(to, bytes);
    return {};
}

} // namespace apod::emu
