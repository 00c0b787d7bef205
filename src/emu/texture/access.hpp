// What the handlers of textures and surfaces share: slots, handles and their checks.
#pragma once

#include "emu/code.hpp"
#include "emu/texture/descriptor.hpp"
#include "emu/texture/sampler.hpp"
#include "emu/warp_context.hpp"

#include <bit>
#include <cstdint>

namespace apod::emu {

template<class T> T* slot_of(WarpContext& warp, OperandRef ref) {
    return reinterpret_cast<T*>(warp.region[ref & region_mask] + (ref & ~region_mask));
}

// Operand `index` of an op's list, for one lane.
inline std::uint32_t word_at(WarpContext& warp, const Op& op, unsigned index, unsigned lane) {
    return slot_of<std::uint32_t>(warp, warp.block->extra[op.extra + index])[lane];
}

// Calls f(lane) for each lane of the mask until one faults.
template<class F> void each_lane(WarpContext& warp, std::uint32_t mask, F f) {
    for (std::uint32_t rest = mask; rest != 0 && warp.block->fault.kind == FaultKind::none; rest &= rest - 1)
        f(static_cast<unsigned>(std::countr_zero(rest)));
}

void report_image(WarpContext& warp, const Op& op, ImageFault why, unsigned lane, std::uint64_t handle);

// Handles of a warp are mostly one and the same: the last one is remembered.
class ImageLookup {
public:
    ImageLookup(WarpContext& warp, const Op& op, bool surface) : warp_(warp), op_(op), surface_(surface) {}

    // The texture or surface, its memory allocated; nullptr: the fault is reported.
    const Texture* find(std::uint64_t handle, unsigned lane);
    // The same, and instructions of this geometry may use it.
    const Texture* find(std::uint64_t handle, unsigned lane, Geometry geometry);

private:
    [[nodiscard]] bool is_allocated(const TextureImage& image) const;

    WarpContext& warp_;
    const Op& op_;
    bool surface_;
    std::uint64_t handle_ = 0;
    const Texture* texture_ = nullptr;
};

} // namespace apod::emu
