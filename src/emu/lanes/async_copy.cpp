// cp.async and cp.async.bulk. A copy takes effect at once: a program that waits for it as it must sees the same; commits and waits are no
// work. Op::a with imm and flag_address32 is the shared side, Op::b the global side (its offset in extra[0]), Op::c the bytes to read
// (the rest of Op::count bytes is zero).
#include "emu/lanes/bulk.hpp"
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/mbarrier.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

std::byte* bulk_place(WarpContext& warp, const Op& op, MemorySpace space, std::uint64_t address, std::uint32_t bytes, unsigned lane,
                      AccessKind kind) {
    FaultKind why = FaultKind::misaligned;
    std::byte* at = nullptr;
    if ((address & 15) == 0 && (bytes & 15) == 0) {
        why = FaultKind::out_of_bounds;
        if (space == MemorySpace::shared)
            at = cluster_place(warp, (address & window_mask) == shared_window ? address & ~window_mask : address, bytes, why);
        else if (resolve_global(warp, op, address, address + bytes))
            at = reinterpret_cast<std::byte*>(address);
    }
    if (at == nullptr) report_fault(warp, op, why, space, kind, lane, address, why == FaultKind::misaligned ? 16 : bytes);
    return at;
}

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

// The same place in the block of a rank.
std::uint64_t in_block(std::uint64_t address, unsigned rank) {
    return (address & shared_offset_mask) | (std::uint64_t{rank} + 1) << cluster_rank_shift;
}

// One copy into shared memory and the bytes told to its mbarrier. False: a fault.
bool deliver_bulk(WarpContext& warp, const Op& op, std::uint64_t to, const std::byte* from, std::uint32_t bytes, std::uint64_t barrier,
                  unsigned lane) {
    std::byte* target = bulk_place(warp, op, MemorySpace::shared, to, bytes, lane, AccessKind::store);
    if (target == nullptr) return false;
    __builtin_memmove(target, from, bytes);
    return complete_bytes(warp, op, lane, barrier, bytes);
}

// cp.async.bulk into shared memory, from global memory or from the block's own shared memory, to one block of the cluster or to several.
template<MemorySpace From> void copy_bulk_in(WarpContext& warp, const Op& op, std::uint32_t mask) {
    for_each_bulk(warp, op, mask, [&](unsigned l, std::uint32_t bytes, std::uint64_t to, const BulkOperands& operands) {
        const std::uint64_t address = bulk_address(warp, op.b, operands.narrow, operands.offset, l);
        const std::byte* from = bulk_place(warp, op, From, address, bytes, l, AccessKind::load);
        if (from == nullptr) return false;
        const std::uint64_t barrier = bulk_address(warp, operands.barrier, operands.barrier_narrow, operands.barrier_offset, l);
        if (operands.blocks == 0xffffffffu) return deliver_bulk(warp, op, to, from, bytes, barrier, l);
        for (std::uint32_t blocks = slot<std::uint32_t>(warp, operands.blocks)[l] & 0xffffu; blocks != 0; blocks &= blocks - 1) {
            const auto rank = static_cast<unsigned>(__builtin_ctz(blocks));
            if (!deliver_bulk(warp, op, in_block(to, rank), from, bytes, in_block(barrier, rank), l)) return false;
        }
        return true;
    });
}

// cp.async.bulk from shared to global memory.
void copy_bulk_out(WarpContext& warp, const Op& op, std::uint32_t mask) {
    bulk_out(warp, op, mask, AccessKind::store,
             [](std::byte* to, const std::byte* from, std::uint32_t bytes) { __builtin_memcpy(to, from, bytes); });
}

} // namespace

void add_async_forms(FormTable& table) {
    using ptx::Type;
    table.add({"cp.async", copy_async, copy_async, Type::none, Type::b64, Type::b64, Type::b32, OpClass::async_copy});
    const auto bulk = [&](const char* name, Handler handler) {
        table.add({name, handler, handler, Type::none, Type::b64, Type::b64, Type::b32, OpClass::async_copy});
    };
    bulk("cp.async.bulk.load", copy_bulk_in<MemorySpace::global>);
    bulk("cp.async.bulk.share", copy_bulk_in<MemorySpace::shared>);
    bulk("cp.async.bulk.store", copy_bulk_out);
}

} // namespace apod::emu::APOD_LANES
