// What every memory handler does first: lane addresses, their pattern, alignment and bounds, and the event.
#pragma once

#include "emu/lanes/lane.hpp"

namespace apod::emu::APOD_LANES {

// The addresses of one request and what is known of them.
struct Request {
    alignas(64) std::uint64_t address[lanes];
    std::uint64_t lowest = 0; // of the active lanes
    std::uint64_t highest = 0;
    std::uint64_t low_bits = 0; // OR of the active addresses: alignment
    Pattern pattern = Pattern::scattered;
};

inline void lane_addresses(WarpContext& warp, const Op& op, Request& request) {
    if ((op.flags & flag_address32) != 0) {
        const auto* a = slot<std::uint32_t>(warp, op.a);
        const auto offset = static_cast<std::uint32_t>(op.imm);
        APOD_LANE_LOOP
        for (unsigned l = 0; l < lanes; ++l) request.address[l] = a[l] + offset;
    } else {
        const auto* a = slot<std::uint64_t>(warp, op.a);
        const auto offset = static_cast<std::uint64_t>(op.imm);
        APOD_LANE_LOOP
        for (unsigned l = 0; l < lanes; ++l) request.address[l] = a[l] + offset;
    }
}

inline void describe_converged(Request& request, std::uint64_t bytes) {
    const std::uint64_t first = request.address[0];
    const auto shift = static_cast<unsigned>(__builtin_ctzll(bytes)); // bytes is a power of two: a shift is cheaper than a product
    std::uint64_t uneven = 0;
    std::uint64_t different = 0;
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) {
        uneven |= request.address[l] ^ (first + (std::uint64_t{l} << shift));
        different |= request.address[l] ^ first;
    }
    if (uneven == 0) {
        request.pattern = Pattern::contiguous;
        request.lowest = first;
        request.highest = first + (lanes - 1) * bytes;
        request.low_bits = first | ((lanes - 1) * bytes);
        return;
    }
    if (different == 0) {
        request.pattern = Pattern::uniform;
        request.lowest = request.highest = request.low_bits = first;
        return;
    }
    std::uint64_t low = first;
    std::uint64_t high = first;
    std::uint64_t bits = 0;
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) {
        const std::uint64_t a = request.address[l];
        low = a < low ? a : low;
        high = a > high ? a : high;
        bits |= a;
    }
    request.lowest = low;
    request.highest = high;
    request.low_bits = bits;
}

// Inactive lanes take the address of the first active one, so that the loops need no mask.
inline void describe(Request& request, std::uint32_t mask, std::uint64_t bytes) {
    if (mask == 0xffffffffu) {
        describe_converged(request, bytes);
        return;
    }
    const std::uint64_t first = request.address[static_cast<unsigned>(__builtin_ctz(mask))];
    std::uint64_t low = first;
    std::uint64_t high = first;
    std::uint64_t bits = first;
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) {
        const std::uint64_t a = lane_of(mask, l) ? request.address[l] : first;
        low = a < low ? a : low;
        high = a > high ? a : high;
        bits |= a;
    }
    request.lowest = low;
    request.highest = high;
    request.low_bits = bits;
    request.pattern = low == high ? Pattern::uniform : Pattern::scattered;
}

template<class P> unsigned first_lane_where(const Request& request, std::uint32_t mask, P predicate) {
    for (unsigned l = 0; l < lanes; ++l)
        if (lane_of(mask, l) && predicate(request.address[l])) return l;
    return 0;
}

[[gnu::noinline]] inline void misaligned(WarpContext& warp, const Op& op, const Request& request, std::uint32_t mask, MemorySpace space,
                                         AccessKind access, std::uint32_t bytes) {
    const unsigned lane = first_lane_where(request, mask, [bytes](std::uint64_t a) { return (a & (bytes - 1)) != 0; });
    report_fault(warp, op, FaultKind::misaligned, space, access, lane, request.address[lane], bytes);
}

// Global memory, slow path: some lane left the allocation that this op used last.
[[gnu::noinline]] inline bool resolve_lanes(WarpContext& warp, const Op& op, const Request& request, std::uint32_t mask, AccessKind access,
                                            std::uint32_t bytes) {
    if (resolve_global(warp, op, request.lowest, request.highest + bytes)) return true;
    for (unsigned l = 0; l < lanes; ++l) {
        if (!lane_of(mask, l) || resolve_global(warp, op, request.address[l], request.address[l] + bytes)) continue;
        report_fault(warp, op, FaultKind::out_of_bounds, MemorySpace::global, access, l, request.address[l], bytes);
        return false;
    }
    return true;
}

// Whether the last byte lies before `end`; the sum of address and bytes may not fit in 64 bits.
inline bool ends_within(const Request& request, std::uint32_t bytes, std::uint64_t end) {
    return request.highest < end && end - request.highest >= bytes;
}

// Alignment and bounds of a request; false: the fault is reported and nothing may be touched.
template<MemorySpace Space>
bool admit(WarpContext& warp, const Op& op, const Request& request, std::uint32_t mask, AccessKind access, std::uint32_t bytes) {
    if ((request.low_bits & (bytes - 1)) != 0) {
        misaligned(warp, op, request, mask, Space, access, bytes);
        return false;
    }
    if constexpr (Space == MemorySpace::global || Space == MemorySpace::constant) {
        const KnownRange& known = warp.block->known[op.index];
        if (request.lowest >= known.first && ends_within(request, bytes, known.end)) return true;
        return resolve_lanes(warp, op, request, mask, access, bytes);
    } else {
        const std::uint64_t limit = Space == MemorySpace::shared ? warp.block->shared_bytes : warp.block->local_bytes;
        if (ends_within(request, bytes, limit)) return true;
        const unsigned lane = first_lane_where(request, mask, [=](std::uint64_t a) { return a + bytes > limit || a > limit; });
        report_fault(warp, op, FaultKind::out_of_bounds, Space, access, lane, request.address[lane], bytes);
        return false;
    }
}

inline void tell(WarpContext& warp, const Op& op, const Request& request, std::uint32_t mask, MemorySpace space, AccessKind kind,
                 std::uint32_t bytes) {
    if (warp.block->sink == nullptr || (op.flags & flag_quiet) != 0) return;
    MemoryEvent event;
    event.op = op.index;
    event.space = space;
    event.kind = kind;
    event.pattern = request.pattern;
    event.bytes = bytes;
    event.active = mask;
    event.warp = warp.index;
    event.address = request.address;
    warp.block->sink->memory(event);
}

// Where lane `l` of an admitted request lies in the host's memory.
template<MemorySpace Space> std::byte* host_address(const WarpContext& warp, unsigned lane, std::uint64_t address) {
    if constexpr (Space == MemorySpace::shared)
        return warp.block->shared + address;
    else if constexpr (Space == MemorySpace::local)
        return warp.local + std::uint64_t{lane} * warp.block->local_stride + address;
    else
        return reinterpret_cast<std::byte*>(address);
}

// Where the lanes of an admitted request lie: base + offset[lane].
template<MemorySpace Space> struct Places {
    std::byte* base = nullptr;
    const std::uint64_t* offset = nullptr;

    Places(const WarpContext& warp, const Request& request) : offset(request.address) {
        if constexpr (Space == MemorySpace::shared)
            base = warp.block->shared;
        else if constexpr (Space == MemorySpace::local) {
            base = warp.local;
            APOD_LANE_LOOP
            for (unsigned l = 0; l < lanes; ++l) own[l] = l * std::uint64_t{warp.block->local_stride} + request.address[l];
            offset = own;
        }
    }

private:
    alignas(64) std::uint64_t own[Space == MemorySpace::local ? lanes : 8];
};

// Where a .shared::cluster address of a lane lies in the host's memory; nullptr: nowhere, for the reason `why`.
inline std::byte* cluster_place(const WarpContext& warp, std::uint64_t address, std::uint32_t bytes, FaultKind& why) {
    const std::uint64_t rank = address >> cluster_rank_shift;
    const BlockContext* block = rank == 0 ? warp.block : rank <= warp.block->cluster_size ? warp.block->cluster[rank - 1] : nullptr;
    const std::uint64_t offset = address & shared_offset_mask;
    why = block != nullptr && block->has_exited ? FaultKind::absent_block : FaultKind::out_of_bounds;
    return block == nullptr || block->has_exited || offset + bytes > block->shared_bytes ? nullptr : block->shared + offset;
}

inline bool is_own(const WarpContext& warp, std::uint64_t address) {
    const std::uint64_t rank = address >> cluster_rank_shift;
    return rank == 0 || rank == warp.block->cluster_rank + 1;
}

// A request to .shared::cluster addresses: checked, told as one of shared memory, and its addresses made the host's. False: a fault.
[[gnu::noinline]] inline bool reach_cluster(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask, AccessKind access,
                                            std::uint32_t bytes, bool silent = false) {
    describe(request, mask, bytes);
    if ((request.low_bits & (bytes - 1)) != 0) {
        misaligned(warp, op, request, mask, MemorySpace::shared, access, bytes);
        return false;
    }
    Request offsets;
    bool distributed = false;
    for (unsigned l = 0; l < lanes; ++l) {
        offsets.address[l] = request.address[l] & shared_offset_mask;
        if (!lane_of(mask, l)) continue;
        FaultKind why = FaultKind::none;
        const std::byte* at = cluster_place(warp, request.address[l], bytes, why);
        if (at == nullptr) {
            report_fault(warp, op, why, MemorySpace::shared, access, l, request.address[l], bytes);
            return false;
        }
        distributed = distributed || !is_own(warp, request.address[l]);
        request.address[l] = reinterpret_cast<std::uint64_t>(at);
    }
    request.pattern = Pattern::scattered;
    if (silent || warp.block->sink == nullptr) return true;
    MemoryEvent event;
    event.op = op.index;
    event.space = MemorySpace::shared;
    event.kind = access;
    event.pattern = Pattern::scattered;
    event.distributed = distributed;
    event.bytes = bytes;
    event.active = mask;
    event.warp = warp.index;
    event.address = offsets.address;
    warp.block->sink->memory(event);
    return true;
}

// Generic requests: the lanes of `mask` by window. Calls f.template operator()<Space>(mask) with the window taken off, and far(mask) for
// shared memory that names a block of the cluster.
template<class F, class G> void by_window(Request& request, std::uint32_t mask, F f, G far) {
    std::uint32_t shared = 0;
    std::uint32_t local = 0;
    for (unsigned l = 0; l < lanes; ++l) {
        const std::uint64_t window = request.address[l] & window_mask;
        shared |= static_cast<std::uint32_t>(window == shared_window) << l;
        local |= static_cast<std::uint32_t>(window == local_window) << l;
    }
    shared &= mask;
    local &= mask;
    if (const std::uint32_t global = mask & ~(shared | local); global != 0) f.template operator()<MemorySpace::global>(global);
    if ((shared | local) == 0) return;
    std::uint32_t elsewhere = 0;
    for (unsigned l = 0; l < lanes; ++l) {
        request.address[l] &= ~window_mask;
        elsewhere |= static_cast<std::uint32_t>((request.address[l] >> cluster_rank_shift) != 0) << l;
    }
    elsewhere &= shared;
    if (local != 0) f.template operator()<MemorySpace::local>(local);
    if ((shared & ~elsewhere) != 0) f.template operator()<MemorySpace::shared>(shared & ~elsewhere);
    if (elsewhere != 0) far(elsewhere);
}

} // namespace apod::emu::APOD_LANES
