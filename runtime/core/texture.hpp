// Texture and surface objects for whichever API makes them: the resource and the sampling become a descriptor that kernels find by handle.
#pragma once

#include "emu/texture/descriptor.hpp"
#include "runtime/core/array.hpp"
#include "runtime/core/error.hpp"

#include <cstdint>

namespace apod::runtime {

// What a texture reads: exactly one of an array, a mipmapped array, linear memory (`height` 0) and pitched memory.
struct TextureResource {
    const Array* array = nullptr;
    const MipmappedArray* mipmapped = nullptr;
    emu::DeviceAddress memory = 0;
    ArrayFormat format;      // of memory
    std::uint64_t bytes = 0; // of linear memory
    std::uint64_t width = 0; // of pitched memory, texels
    std::uint64_t height = 0;
    std::uint64_t pitch = 0;
};

// A part of a resource, or the resource read as another format of equal size (cudaResourceViewDesc).
struct TextureView {
    bool reformats = false;
    ArrayFormat format;
    std::uint32_t first_level = 0;
    std::uint32_t last_level = 0;
    std::uint32_t first_layer = 0;
    std::uint32_t last_layer = 0;
};

// invalid_value: the resource cannot be read so (its alignment, linear filtering of integers, a view that is not inside). not_supported,
// said on standard error: seamless filtering over the edges of a cube.
struct TextureRequest {
    TextureResource resource;
    emu::Sampler sampler;
    bool seamless = false;
    const TextureView* view = nullptr; // null: the whole resource
};
Error create_texture(Runtime& runtime, const TextureRequest& request, std::uint64_t& handle);
// The array must have been made with array_surface.
Error create_surface(Runtime& runtime, const Array& array, std::uint64_t& handle);
Error destroy_image(Runtime& runtime, std::uint64_t handle);

// Texels of a texture that linear memory may have.
inline constexpr std::uint64_t most_linear_texels = 1ull << 28;

} // namespace apod::runtime
