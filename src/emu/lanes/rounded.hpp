// Handlers run in one of the host's rounding modes. Files that use this are compiled with -frounding-math; the loops load their operands
// after the mode has changed and store before it changes back, and the calls in between keep the compiler from moving either.
#pragma once

#include "emu/lanes/lane.hpp"

#include <cfenv>

namespace apod::emu::APOD_LANES {

// The mode is Op::imm.
inline void in_mode(Handler handler, WarpContext& warp, const Op& op, std::uint32_t mask) {
    fesetround(static_cast<int>(op.imm));
    __asm__ volatile("" ::: "memory");
    handler(warp, op, mask);
    __asm__ volatile("" ::: "memory");
    fesetround(FE_TONEAREST);
}

template<class H> struct Rounded {
    static void full(WarpContext& warp, const Op& op, std::uint32_t mask) { in_mode(H::full, warp, op, mask); }
    static void masked(WarpContext& warp, const Op& op, std::uint32_t mask) { in_mode(H::masked, warp, op, mask); }
};

} // namespace apod::emu::APOD_LANES
