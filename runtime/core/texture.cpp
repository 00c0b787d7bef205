#include "runtime/core/texture.hpp"

#include "emu/texture/table.hpp"
#include "emu/texture/texel.hpp"
#include "runtime/core/message.hpp"
#include "runtime/core/runtime.hpp"

#include <algorithm>
#include <optional>

namespace apod::runtime {
namespace {

constexpr std::uint64_t pitch_unit = 32; // cudaDeviceProp::texturePitchAlignment

bool is_format(const ArrayFormat& format) { return format.channels == 1 || format.channels == 2 || format.channels == 4; }

// Linear or pitched memory, all of it allocated.
std::optional<emu::TextureImage> memory_image(Runtime& runtime, const TextureResource& resource) {
    if (!is_format(resource.format)) return std::nullopt;
    emu::TextureImage image;
    image.type = resource.format.type;
    image.channels = resource.format.channels;
    emu::ImageLevel& level = image.levels[0];
    level.base = resource.memory;
    if (resource.height == 0) {
        const std::uint64_t texels = resource.bytes / image.texel_bytes();
        if (texels == 0 || texels > most_linear_texels) return std::nullopt;
        image.shape = emu::ImageShape::linear;
        level.width = static_cast<std::uint32_t>(texels);
    } else {
        const bool inside = resource.width != 0 && resource.width <= 131072 && resource.height <= 65000;
        if (!inside || resource.pitch % pitch_unit != 0 || resource.pitch < resource.width * image.texel_bytes()) return std::nullopt;
        image.shape = emu::ImageShape::two;
        level.width = static_cast<std::uint32_t>(resource.width);
        level.height = static_cast<std::uint32_t>(resource.height);
        level.pitch = resource.pitch;
    }
    const auto allocation = runtime.device_memory().find(level.base);
    const bool allocated = allocation && image.end_of(0) <= allocation->base + allocation->bytes;
    return allocated && level.base % pitch_unit == 0 ? std::optional(image) : std::nullopt;
}

bool apply_view(const TextureView& view, emu::TextureImage& image) {
    if (view.reformats) {
        const std::uint32_t bytes = image.texel_bytes();
        image.type = view.format.type;
        image.channels = view.format.channels;
        if (!is_format(view.format) || image.texel_bytes() != bytes) return false;
    }
    if (view.first_level > view.last_level || view.last_level >= image.level_count) return false;
    for (std::uint32_t l = view.first_level; l <= view.last_level; ++l) image.levels[l - view.first_level] = image.levels[l];
    image.level_count = view.last_level - view.first_level + 1;
    if (!emu::is_layered(image.shape)) return view.first_layer == 0 && view.last_layer == 0;
    if (view.first_layer > view.last_layer || view.last_layer >= image.layers) return false;
    for (std::uint32_t l = 0; l < image.level_count; ++l) image.levels[l].base += view.first_layer * image.levels[l].slice;
    image.layers = view.last_layer - view.first_layer + 1;
    return !emu::is_cube(image.shape) || image.layers % 6 == 0;
}

} // namespace

Error create_texture(Runtime& runtime, const TextureRequest& request, std::uint64_t& handle) {
    const TextureResource& resource = request.resource;
    emu::Texture texture;
    texture.sampler = request.sampler;
    bool normalised = resource.format.normalised;
    if (resource.array != nullptr || resource.mipmapped != nullptr) {
        texture.image = resource.array != nullptr ? resource.array->image : resource.mipmapped->image;
        normalised = (resource.array != nullptr ? resource.array->request : resource.mipmapped->request).format.normalised;
        if (resource.mipmapped != nullptr && !request.sampler.normalised_coordinates) return Error::invalid_value;
    } else {
        const auto image = memory_image(runtime, resource);
        if (!image) return Error::invalid_value;
        texture.image = *image;
    }
    if (request.view != nullptr) {
        if (!apply_view(*request.view, texture.image)) return Error::invalid_value;
        if (request.view->reformats) normalised = request.view->format.normalised;
    }
    if (normalised) texture.sampler.normalised_float = true;
    const bool floats = emu::gives_floats(texture.image, texture.sampler);
    const bool linear_memory = texture.image.shape == emu::ImageShape::linear;
    if (linear_memory && request.sampler.normalised_coordinates) return Error::invalid_value;
    if (!floats && !linear_memory && (request.sampler.linear || request.sampler.linear_levels)) return Error::invalid_value;
    if (request.seamless && emu::is_cube(texture.image.shape) && request.sampler.linear) {
        say("note: the program asks for seamless filtering of a cube map, which the emulated device does not do yet");
        return Error::not_supported;
    }
    handle = runtime.device_memory().textures().add(texture);
    return Error::success;
}

Error create_surface(Runtime& runtime, const Array& array, std::uint64_t& handle) {
    if ((array.request.flags & array_surface) == 0) return Error::invalid_value;
    emu::Texture surface;
    surface.is_surface = true;
    surface.image = array.image;
    handle = runtime.device_memory().textures().add(surface);
    return Error::success;
}

Error destroy_image(Runtime& runtime, std::uint64_t handle) {
    return handle == 0 || runtime.device_memory().textures().remove(handle) ? Error::success : Error::invalid_value;
}

} // namespace apod::runtime
