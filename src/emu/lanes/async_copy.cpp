// cp.async and cp.async.bulk. A copy takes effect at once: a program that waits for it as it must sees the same; commits and waits are no
// work. Op::a with imm and flag_address32 is the shared side, Op::b the global side (its offset in extra[0]), Op::c the bytes to read
// (the rest of Op::count bytes is zero).
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/mbarrier.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

namespace {

void tell_copy(WarpContext& warp, const Op& op, const Request& request, std::uint32_t mask, MemorySpace space, std::uint32_t bytes) {
    if (warp.block->sink == nullptr) return;
    MemoryEvent event;
    event.op = op.index;
    event.space = space;
    event.kind = space == MemorySpace::global ? AccessKind::load : AccessKind::store;
    event.pattern = request.pattern;
    event.async_copy = true;
    event.bytes = bytes;
    event.active = mask;
    event.warp = warp.index;
    event.address = request.address;
    warp.block->sink->memory(event);
}

// Lanes whose source size is zero read nothing (the common way to fill the edge of a tile with zeros).
void copy_async(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const std::uint32_t bytes = op.count;
    Request to;
    lane_addresses(warp, op, to);
    describe(to, mask, bytes);
    if (!admit<MemorySpace::shared>(warp, op, to, mask, AccessKind::store, bytes)) return;
    Request from;
    const auto* address = slot<std::uint64_t>(warp, op.b);
    const auto* size = slot<std::uint32_t>(warp, op.c);
    const auto offset = static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(warp.block->extra[op.extra])));
    std::uint32_t reading = 0;
    for (unsigned l = 0; l < lanes; ++l) {
        from.address[l] = address[l] + offset;
        reading |= static_cast<std::uint32_t>(size[l] != 0) << l;
    }
    reading &= mask;
    if (reading != 0) {
        describe(from, reading, bytes);
        if (!admit<MemorySpace::global>(warp, op, from, reading, AccessKind::load, bytes)) return;
        tell_copy(warp, op, from, reading, MemorySpace::global, bytes);
    }
    tell_copy(warp, op, to, mask, MemorySpace::shared, bytes);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        std::byte* target = host_address<MemorySpace::shared>(warp, l, to.address[l]);
        const std::uint32_t wanted = size[l] < bytes ? size[l] : bytes;
        for (std::uint32_t i = 0; i < bytes; ++i)
            target[i] = i < wanted ? reinterpret_cast<const std::byte*>(from.address[l])[i] : std::byte{0};
    }
}

template<MemorySpace Space>
bool admit_bytes(WarpContext& warp, const Op& op, std::uint64_t address, std::uint64_t bytes, unsigned lane, AccessKind kind) {
    bool inside = false;
    if constexpr (Space == MemorySpace::global)
        inside = resolve_global(warp, op, address, address + bytes);
    else
        inside = address <= warp.block->shared_bytes && bytes <= warp.block->shared_bytes - address;
    if (!inside) report_fault(warp, op, FaultKind::out_of_bounds, Space, kind, lane, address, static_cast<std::uint32_t>(bytes));
    return inside;
}

// cp.async.bulk in both directions: lanes copy one after the other. The mbarrier's part is done by a following op of its own file's rules:
// extra[1] is the mbarrier's address reference or 0xffffffff.
template<bool ToShared> void copy_bulk(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request shared;
    lane_addresses(warp, op, shared);
    const auto* address = slot<std::uint64_t>(warp, op.b);
    const auto* size = slot<std::uint32_t>(warp, op.c);
    const auto offset = static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(warp.block->extra[op.extra])));
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        const std::uint64_t global = address[l] + offset;
        if (((global | shared.address[l] | size[l]) & 15) != 0)
            return report_fault(warp, op, FaultKind::misaligned, MemorySpace::global, AccessKind::load, l, global, 16);
        const AccessKind at_global = ToShared ? AccessKind::load : AccessKind::store;
        const AccessKind at_shared = ToShared ? AccessKind::store : AccessKind::load;
        if (!admit_bytes<MemorySpace::global>(warp, op, global, size[l], l, at_global)) return;
        if (!admit_bytes<MemorySpace::shared>(warp, op, shared.address[l], size[l], l, at_shared)) return;
        std::byte* inside = host_address<MemorySpace::shared>(warp, l, shared.address[l]);
        auto* outside = reinterpret_cast<std::byte*>(global);
        if constexpr (ToShared)
            __builtin_memcpy(inside, outside, size[l]);
        else
            __builtin_memcpy(outside, inside, size[l]);
    }
    const OperandRef barrier = warp.block->extra[op.extra + 1];
    if (ToShared && barrier != 0xffffffffu) complete_bytes(warp, op, barrier, op.c, mask);
}

} // namespace

void add_async_forms(FormTable& table) {
    using ptx::Type;
    table.add({"cp.async", copy_async, copy_async, Type::none, Type::b64, Type::b64, Type::b32, OpClass::async_copy});
    table.add({"cp.async.bulk.load", copy_bulk<true>, copy_bulk<true>, Type::none, Type::b64, Type::b64, Type::b32, OpClass::async_copy});
    table.add(
        {"cp.async.bulk.store", copy_bulk<false>, copy_bulk<false>, Type::none, Type::b64, Type::b64, Type::b32, OpClass::async_copy});
}

} // namespace apod::emu::APOD_LANES
