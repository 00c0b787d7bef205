// What bulk copies and bulk reductions share.
#pragma once

#include "emu/lanes/lane.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

// What a bulk copy or reduction has beside Op::a (the shared side or the destination, with its offset in Op::imm), Op::b (the other side)
// and Op::c (its size): words in Code::extra at Op::extra.
struct BulkOperands {
    std::uint32_t offset = 0;         // of Op::b
    bool narrow = false;              // Op::b is a 32-bit slot
    OperandRef barrier = 0xffffffffu; // none
    std::uint32_t barrier_offset = 0;
    bool barrier_narrow = false;
    OperandRef blocks = 0xffffffffu; // of a multicast: the mask of ranks

    explicit BulkOperands(const std::uint32_t* words) :
        offset(words[0]),
        narrow(words[1] != 0),
        barrier(words[2]),
        barrier_offset(words[3]),
        barrier_narrow(words[4] != 0),
        blocks(words[5]) {}
};

inline std::uint64_t bulk_address(WarpContext& warp, OperandRef ref, bool narrow, std::uint32_t offset, unsigned lane) {
    const std::uint64_t base = narrow ? slot<std::uint32_t>(warp, ref)[lane] : slot<std::uint64_t>(warp, ref)[lane];
    return base + static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(offset)));
}

// `bytes` of global memory or of the block's own shared memory that lane `lane` reads or writes: where they lie; nullptr: a fault.
std::byte* bulk_place(WarpContext& warp, const Op& op, MemorySpace space, std::uint64_t address, std::uint32_t bytes, unsigned lane,
                      AccessKind kind);

// A bulk operation takes effect lane by lane: use(lane, bytes, address in Op::a, operands) until it returns false, a fault.
template<class Use> void for_each_bulk(WarpContext& warp, const Op& op, std::uint32_t mask, const Use& use) {
    Request shared;
    lane_addresses(warp, op, shared);
    const BulkOperands operands(warp.block->extra + op.extra);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        if (!use(l, slot<std::uint32_t>(warp, op.c)[l], shared.address[l], operands)) return;
    }
}

// From the block's shared memory (Op::a) to global memory: move(to, from, bytes) for each lane; `kind` is what global memory sees.
template<class Move> void bulk_out(WarpContext& warp, const Op& op, std::uint32_t mask, AccessKind kind, const Move& move) {
    for_each_bulk(warp, op, mask, [&](unsigned l, std::uint32_t bytes, std::uint64_t inside, const BulkOperands& operands) {
        std::byte* to = bulk_place(warp, op, MemorySpace::global, bulk_address(warp, op.b, false, operands.offset, l), bytes, l, kind);
        const std::byte* from = bulk_place(warp, op, MemorySpace::shared, inside, bytes, l, AccessKind::load);
        if (to == nullptr || from == nullptr) return false;
        move(to, from, bytes);
        return true;
    });
}

} // namespace apod::emu::APOD_LANES
