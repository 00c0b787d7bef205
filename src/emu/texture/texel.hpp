// Texels between memory and registers. A register's channel is 32 bits: a float where the texel is one or is read as one, else the integer,
// extended by its sign.
#pragma once

#include "emu/texture/descriptor.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace apod::emu {

using Texel = std::array<std::uint32_t, 4>;

// Whether what a texture gives are floats.
[[nodiscard]] bool gives_floats(const TextureImage& image, const Sampler& sampler);
// Channels that the image has not are 0, the fourth 1.
[[nodiscard]] Texel decode_texel(const std::byte* at, const TextureImage& image, const Sampler& sampler);
[[nodiscard]] Texel border_texel(const TextureImage& image, const Sampler& sampler);
// A formatted store (sust.p): floats become halves where the image has halves, integers lose their upper bits.
void encode_texel(std::byte* to, const TextureImage& image, const Texel& texel);

[[nodiscard]] float half_to_float(std::uint16_t bits);
[[nodiscard]] std::uint16_t float_to_half(float value); // to nearest even

} // namespace apod::emu
