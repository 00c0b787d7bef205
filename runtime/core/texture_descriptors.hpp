// What the runtime's and the driver's descriptors of textures have in common: their fields have the same names
// (runtime/cudart/texture_types.hpp, runtime/cuda/types.hpp), so that one template reads either.
#pragma once

#include "runtime/core/texture.hpp"

#include <map>

namespace apod::runtime {

// cudaResourceType and CUresourcetype.
enum ResourceType : int { of_array = 0, of_mipmapped = 1, of_linear = 2, of_pitched = 3 };

// What texture and surface objects were made from, for the calls that ask.
template<class Resource, class Texture, class View> class MadeImages {
public:
    struct Made {
        Resource resource{};
        Texture texture{};
        View view{};
        bool has_view = false;
        bool is_surface = false;
    };

    void texture(unsigned long long handle, const Resource& resource, const Texture& texture, const View* view) {
        made_[handle] = {resource, texture, view != nullptr ? *view : View{}, view != nullptr, false};
    }
    void surface(unsigned long long handle, const Resource& resource) { made_[handle] = {resource, {}, {}, false, true}; }
    void forget(unsigned long long handle) { made_.erase(handle); }

    // Null: no such texture, or surface.
    const Made* find_texture(unsigned long long handle) const { return find(handle, false); }
    const Made* find_surface(unsigned long long handle) const { return find(handle, true); }

private:
    const Made* find(unsigned long long handle, bool surface) const {
        const auto found = made_.find(handle);
        return found == made_.end() || found->second.is_surface != surface ? nullptr : &found->second;
    }

    std::map<unsigned long long, Made> made_;
};

// Linear or pitched memory of texels of `format`. invalid_value: pitched memory without rows.
template<class Descriptor>
Error memory_of(const Descriptor& descriptor, const ArrayFormat& format, std::uint64_t address, TextureResource& resource) {
    resource.format = format;
    resource.memory = address;
    if (descriptor.type == of_linear) {
        resource.bytes = descriptor.linear.bytes;
        return Error::success;
    }
    resource.width = descriptor.pitched.width;
    resource.height = descriptor.pitched.height;
    resource.pitch = descriptor.pitched.pitch;
    return resource.height == 0 ? Error::invalid_value : Error::success;
}

// How a texture is sampled, but for what the two APIs say in ways of their own: normalisation and sRGB. invalid_value: no such addressing.
template<class Descriptor> Error sampling_of(const Descriptor& descriptor, emu::Sampler& sampler) {
    for (std::size_t d = 0; d < 3; ++d) {
        if (descriptor.addressing[d] < 0 || descriptor.addressing[d] > 3) return Error::invalid_value;
        sampler.addressing[d] = static_cast<emu::Addressing>(descriptor.addressing[d]);
    }
    for (std::size_t c = 0; c < 4; ++c) sampler.border[c] = descriptor.border[c];
    sampler.linear = descriptor.filter != 0;
    sampler.linear_levels = descriptor.level_filter != 0;
    sampler.level_bias = descriptor.level_bias;
    sampler.lowest_level = descriptor.lowest_level;
    sampler.highest_level = descriptor.highest_level;
    sampler.most_anisotropy = descriptor.most_anisotropy;
    return Error::success;
}

// cudaResourceViewFormat and CUresourceViewFormat: three of each type by channels, in the order of TexelType. not_supported: the
// block-compressed formats, which follow.
template<class Descriptor> Error view_of(const Descriptor& descriptor, TextureView& view) {
    constexpr int last_format = 24;
    if (descriptor.format < 0 || descriptor.format > last_format) return Error::not_supported;
    if (descriptor.format != 0) {
        constexpr std::uint32_t channels[] = {1, 2, 4};
        view.reformats = true;
        view.format = {static_cast<emu::TexelType>((descriptor.format - 1) / 3), channels[(descriptor.format - 1) % 3], false};
    }
    view.first_level = descriptor.first_level;
    view.last_level = descriptor.last_level;
    view.first_layer = descriptor.first_layer;
    view.last_layer = descriptor.last_layer;
    return Error::success;
}

} // namespace apod::runtime
