#pragma once

#include "emu/warp_context.hpp"

namespace apod::emu::APOD_LANES {

// Bytes that a lane's copy or store brought have come: the mbarrier at a .shared::cluster address (or a generic one) expects as many fewer.
// False: there is no such place, and the fault is reported.
bool complete_bytes(WarpContext& warp, const Op& op, unsigned lane, std::uint64_t address, std::uint32_t bytes);

} // namespace apod::emu::APOD_LANES
