// What the instructions on textures and surfaces do for the lanes of a warp. One lane after the other, compiled once: unlike the handlers
// of emu/lanes there is nothing here that wider instruction sets would make faster.
#pragma once

#include "emu/warp_context.hpp"

namespace apod::emu {

void run_texture(WarpContext& warp, const Op& op, std::uint32_t mask); // Op::imm: a TextureSpec
void run_surface(WarpContext& warp, const Op& op, std::uint32_t mask); // Op::imm: a SurfaceSpec
// Op::imm: an ImageQuery, and 256 for surfaces. Op::dst is the result, Op::b the level of detail.
void run_image_query(WarpContext& warp, const Op& op, std::uint32_t mask);

} // namespace apod::emu
