// Sampling a texture at one place, as CUDA's programming guide describes it ("Texture Fetching") and as an H200 answers where the guide is
// silent (sampler.cpp says how that was), in double arithmetic with one rounding at the end.
#pragma once

#include "emu/texture/descriptor.hpp"
#include "emu/texture/texel.hpp"

#include <array>
#include <cstdint>

namespace apod::emu {

// What an instruction's coordinates mean: {x}, {x, y}, {x, y, z}, {layer, x}, {layer, x, y}, a direction, {layer, direction}.
enum class Geometry : std::uint8_t { one, two, three, layered_one, layered_two, cube, layered_cube };

[[nodiscard]] unsigned dimensions_of(Geometry geometry); // 1 to 3, without the layer; a cube's direction has 3
[[nodiscard]] bool has_layer(Geometry geometry);
// Whether instructions of this geometry may read an image of this shape.
[[nodiscard]] bool fits(Geometry geometry, ImageShape shape);

struct Place {
    Geometry geometry = Geometry::two;
    std::uint32_t layer = 0;
    bool whole = false;        // `texel` counts, `at` does not: no filter, no normalised coordinates
    std::array<float, 3> at{}; // coordinates, or a cube's direction
    std::array<std::int32_t, 3> texel{};
    std::array<std::int32_t, 3> offset{}; // in texels
};

// `level` of detail, before bias and clamps.
[[nodiscard]] Texel sample(const Texture& texture, const Place& place, float level);
// The level of detail at which a step of `dx` or `dy` in the coordinates is one texel.
[[nodiscard]] float level_of_gradients(const Texture& texture, const Place& place, const std::array<float, 3>& dx,
                                       const std::array<float, 3>& dy);
// One channel of the four texels that linear filtering would read: (i, j+1), (i+1, j+1), (i+1, j), (i, j).
[[nodiscard]] Texel gather(const Texture& texture, const Place& place, unsigned channel);

} // namespace apod::emu
