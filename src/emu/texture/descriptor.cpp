#include "emu/texture/descriptor.hpp"

namespace apod::emu {

std::uint32_t channel_bytes(TexelType type) {
    switch (type) {
    case TexelType::u8:
    case TexelType::s8: return 1;
    case TexelType::u16:
    case TexelType::s16:
    case TexelType::f16: return 2;
    default: return 4;
    }
}

bool is_cube(ImageShape shape) { return shape == ImageShape::cube || shape == ImageShape::layered_cube; }
bool is_layered(ImageShape shape) { return shape == ImageShape::layered_one || shape == ImageShape::layered_two || is_cube(shape); }

std::uint32_t TextureImage::texel_bytes() const { return channels * channel_bytes(type); }

DeviceAddress TextureImage::end_of(std::uint32_t level) const {
    const ImageLevel& at = levels[level];
    const std::uint64_t slices = is_layered(shape) ? layers : at.depth;
    return at.base + (slices - 1) * at.slice + (at.height - 1) * at.pitch + std::uint64_t{at.width} * texel_bytes();
}

} // namespace apod::emu
