// What a texture or surface handle stands for: an image in device memory and, for textures, how it is sampled. Plain data that whoever runs
// kernels fills; the meaning of each field is that of CUDA's programming guide ("Texture Fetching") and of cudaTextureDesc.
#pragma once

#include "emu/memory.hpp"

#include <array>
#include <cstdint>

namespace apod::emu {

// One channel of a texel.
enum class TexelType : std::uint8_t { u8, s8, u16, s16, u32, s32, f16, f32 };

enum class ImageShape : std::uint8_t {
    linear, // one row of linear memory: reads outside it give zero, nothing is filtered
    one,    // 1D
    two,    // 2D
    three,  // 3D
    layered_one,
    layered_two,
    cube, // six square layers: +x, -x, +y, -y, +z, -z
    layered_cube
};

// One level of detail, in texels. Texel (x, y, z) lies at base + z * slice + y * pitch + x * bytes of a texel; z is a layer of layered
// images.
struct ImageLevel {
    DeviceAddress base = 0;
    std::uint32_t width = 1;
    std::uint32_t height = 1;
    std::uint32_t depth = 1;
    std::uint64_t pitch = 0;
    std::uint64_t slice = 0;
};

inline constexpr std::uint32_t most_levels = 18; // of an image 131072 texels wide

struct TextureImage {
    ImageShape shape = ImageShape::two;
    TexelType type = TexelType::f32;
    std::uint32_t channels = 1; // 1, 2, 4
    std::uint32_t layers = 1;   // of layered shapes; a cube has 6, a layered cube 6 for each of its layers
    std::uint32_t level_count = 1;
    std::array<ImageLevel, most_levels> levels{};

    [[nodiscard]] std::uint32_t texel_bytes() const;
    // One behind the level's last byte.
    [[nodiscard]] DeviceAddress end_of(std::uint32_t level) const;
};

[[nodiscard]] std::uint32_t channel_bytes(TexelType type);
[[nodiscard]] bool is_cube(ImageShape shape);
[[nodiscard]] bool is_layered(ImageShape shape); // cubes too: their faces are layers

// In the order of cudaTextureAddressMode.
enum class Addressing : std::uint8_t { wrap, clamp, mirror, border };

struct Sampler {
    std::array<Addressing, 3> addressing{Addressing::clamp, Addressing::clamp, Addressing::clamp};
    bool linear = false;                 // filtering; of results that are floats only
    bool normalised_float = false;       // 8- and 16-bit integers are read as [0, 1] or [-1, 1]
    bool normalised_coordinates = false; // [0, 1] spans the image; wrap and mirror need this, else they clamp
    bool srgb = false;                   // 8-bit red, green and blue become linear
    std::array<float, 4> border{};
    bool linear_levels = false; // between levels of detail
    float level_bias = 0;
    float lowest_level = 0;
    float highest_level = 0;
    std::uint32_t most_anisotropy = 0; // known to queries only: sampling is isotropic
};

struct Texture {
    bool is_surface = false;
    TextureImage image;
    Sampler sampler; // of textures
};

} // namespace apod::emu
