// Texture and surface objects.
#include "runtime/core/texture.hpp"
#include "runtime/cudart/call.hpp"
#include "runtime/cudart/texture_types.hpp"

#include <cstring>
#include <map>

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

// What an object was made from, for the calls that ask.
struct Made {
    ResourceDescriptor resource{};
    TextureDescriptor texture{};
    ViewDescriptor view{};
    bool has_view = false;
    bool is_surface = false;
};

std::map<unsigned long long, Made>& made_objects() {
    static auto& objects = *new std::map<unsigned long long, Made>;
    return objects;
}

constexpr int type_array = 0;
constexpr int type_mipmapped = 1;
constexpr int type_linear = 2;
constexpr int type_pitched = 3;

Error resource_of(const ResourceDescriptor& descriptor, TextureResource& resource) {
    switch (descriptor.type) {
    case type_array: resource.array = ArrayTable::instance().find(descriptor.array); break;
    case type_mipmapped: resource.mipmapped = ArrayTable::instance().find_mipmapped(descriptor.array); break;
    case type_linear:
    case type_pitched: {
        const bool linear = descriptor.type == type_linear;
        const auto format = array_format(linear ? descriptor.linear.format : descriptor.pitched.format);
        if (!format) return Error::invalid_channel_descriptor;
        resource.format = *format;
        resource.memory = reinterpret_cast<std::uint64_t>(linear ? descriptor.linear.pointer : descriptor.pitched.pointer);
        if (linear) {
            resource.bytes = descriptor.linear.bytes;
            return Error::success;
        }
        resource.width = descriptor.pitched.width;
        resource.height = descriptor.pitched.height;
        resource.pitch = descriptor.pitched.pitch;
        return resource.height == 0 ? Error::invalid_value : Error::success;
    }
    default: return Error::invalid_value;
    }
    return resource.array == nullptr && resource.mipmapped == nullptr ? Error::invalid_resource_handle : Error::success;
}

Error sampler_of(const TextureDescriptor& descriptor, apod::emu::Sampler& sampler) {
    for (std::size_t d = 0; d < 3; ++d) {
        if (descriptor.addressing[d] < 0 || descriptor.addressing[d] > 3) return Error::invalid_value;
        sampler.addressing[d] = static_cast<apod::emu::Addressing>(descriptor.addressing[d]);
        sampler.border[d] = descriptor.border[d];
    }
    sampler.border[3] = descriptor.border[3];
    sampler.linear = descriptor.filter != 0;
    sampler.normalised_float = descriptor.read != 0;
    sampler.normalised_coordinates = descriptor.normalised_coordinates != 0;
    sampler.srgb = descriptor.srgb != 0;
    sampler.linear_levels = descriptor.level_filter != 0;
    sampler.level_bias = descriptor.level_bias;
    sampler.lowest_level = descriptor.lowest_level;
    sampler.highest_level = descriptor.highest_level;
    sampler.most_anisotropy = descriptor.most_anisotropy;
    return Error::success;
}

// cudaResourceViewFormat: three of each type by channels, in the order of TexelType. Block-compressed formats follow.
Error view_of(const ViewDescriptor& descriptor, TextureView& view) {
    constexpr int last_format = 24;
    if (descriptor.format < 0 || descriptor.format > last_format) return Error::not_supported;
    if (descriptor.format != 0) {
        constexpr std::uint32_t channels[] = {1, 2, 4};
        view.reformats = true;
        view.format = {static_cast<apod::emu::TexelType>((descriptor.format - 1) / 3), channels[(descriptor.format - 1) % 3], false};
    }
    view.first_level = descriptor.first_level;
    view.last_level = descriptor.last_level;
    view.first_layer = descriptor.first_layer;
    view.last_layer = descriptor.last_layer;
    return Error::success;
}

Error destroy(unsigned long long handle) {
    return call([&](Runtime& runtime) {
        made_objects().erase(handle);
        return destroy_image(runtime, handle);
    });
}

// `get` takes from what the object was made from.
template<class Get> Error ask(unsigned long long handle, bool surface, const void* into, const Get& get) {
    return call([&](Runtime&) {
        const auto found = made_objects().find(handle);
        if (found == made_objects().end() || found->second.is_surface != surface || into == nullptr) return Error::invalid_value;
        return get(found->second);
    });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaCreateTextureObject(unsigned long long* handle, const ResourceDescriptor* resource, const TextureDescriptor* texture,
                              const ViewDescriptor* view) {
    if (handle == nullptr || resource == nullptr || texture == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        TextureRequest request;
        if (const Error error = resource_of(*resource, request.resource); error != Error::success) return error;
        if (const Error error = sampler_of(*texture, request.sampler); error != Error::success) return error;
        request.seamless = texture->seamless != 0;
        TextureView part;
        if (view != nullptr) {
            if (resource->type != type_array && resource->type != type_mipmapped) return Error::invalid_value;
            if (const Error error = view_of(*view, part); error != Error::success) return error;
            request.view = &part;
        }
        std::uint64_t made = 0;
        if (const Error error = create_texture(runtime, request, made); error != Error::success) return error;
        *handle = made;
        made_objects()[made] = {*resource, *texture, view != nullptr ? *view : ViewDescriptor{}, view != nullptr, false};
        return Error::success;
    });
}

Error cudaDestroyTextureObject(unsigned long long handle) { return destroy(handle); }

Error cudaGetTextureObjectResourceDesc(ResourceDescriptor* resource, unsigned long long handle) {
    return ask(handle, false, resource, [&](const Made& made) { return *resource = made.resource, Error::success; });
}
Error cudaGetTextureObjectTextureDesc(TextureDescriptor* texture, unsigned long long handle) {
    return ask(handle, false, texture, [&](const Made& made) { return *texture = made.texture, Error::success; });
}
Error cudaGetTextureObjectResourceViewDesc(ViewDescriptor* view, unsigned long long handle) {
    return ask(handle, false, view, [&](const Made& made) {
        if (!made.has_view) return Error::invalid_value;
        *view = made.view;
        return Error::success;
    });
}

Error cudaCreateSurfaceObject(unsigned long long* handle, const ResourceDescriptor* resource) {
    if (handle == nullptr || resource == nullptr || resource->type != type_array) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        const Array* array = ArrayTable::instance().find(resource->array);
        if (array == nullptr) return Error::invalid_resource_handle;
        std::uint64_t made = 0;
        if (const Error error = create_surface(runtime, *array, made); error != Error::success) return error;
        *handle = made;
        made_objects()[made] = {*resource, {}, {}, false, true};
        return Error::success;
    });
}

Error cudaDestroySurfaceObject(unsigned long long handle) { return destroy(handle); }

Error cudaGetSurfaceObjectResourceDesc(ResourceDescriptor* resource, unsigned long long handle) {
    return ask(handle, true, resource, [&](const Made& made) { return *resource = made.resource, Error::success; });
}

ChannelDescriptor cudaCreateChannelDesc(int x, int y, int z, int w, int kind) { return {x, y, z, w, kind}; }

Error cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* texels, const ChannelDescriptor* format, int device) {
    return call([&](Runtime& runtime) {
        if (texels == nullptr || format == nullptr) return Error::invalid_value;
        if (device < 0 || device >= runtime.device_count()) return Error::invalid_device;
        if (!array_format(*format)) return Error::invalid_channel_descriptor;
        *texels = most_linear_texels;
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
