#pragma once

#include "emu/warp_context.hpp"

namespace apod::emu::APOD_LANES {

// The bytes of a bulk copy have come: the mbarrier at `where` (a 32-bit slot of shared addresses) expects as many fewer.
void complete_bytes(WarpContext& warp, const Op& op, OperandRef where, OperandRef bytes, std::uint32_t mask);

} // namespace apod::emu::APOD_LANES
