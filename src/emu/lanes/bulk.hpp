// What bulk copies and bulk reductions share.
#pragma once

#include "emu/lanes/lane.hpp"

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

} // namespace apod::emu::APOD_LANES
