// Texture and surface objects.
#include "runtime/core/texture.hpp"
#include "runtime/cuda/array_format.hpp"
#include "runtime/cuda/call.hpp"

#include <map>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

using apod::emu::TexelType;

enum ResourceType : int { of_array = 0, of_mipmapped = 1, of_linear = 2, of_pitched = 3 };
enum TextureFlag : unsigned { read_as_integer = 1, normalised_coordinates = 2, srgb = 0x10, seamless = 0x40 };

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

Error resource_of(const ResourceDescriptor& descriptor, TextureResource& resource) {
    const ArrayTable& arrays = ArrayTable::instance();
    switch (descriptor.type) {
    case of_array:
        resource.array = arrays.find(descriptor.array);
        if (resource.array == nullptr) return invalid_handle;
        resource.format = resource.array->request.format;
        return Error::success;
    case of_mipmapped:
        resource.mipmapped = arrays.find_mipmapped(descriptor.array);
        if (resource.mipmapped == nullptr) return invalid_handle;
        resource.format = resource.mipmapped->request.format;
        return Error::success;
    case of_linear:
    case of_pitched: break;
    default: return Error::invalid_value;
    }
    const bool linear = descriptor.type == of_linear;
    const auto format = linear ? array_format(descriptor.linear.format, descriptor.linear.channels)
                               : array_format(descriptor.pitched.format, descriptor.pitched.channels);
    if (!format) return Error::not_supported;
    resource.format = *format;
    resource.memory = linear ? descriptor.linear.address : descriptor.pitched.address;
    if (linear) {
        resource.bytes = descriptor.linear.bytes;
        return Error::success;
    }
    resource.width = descriptor.pitched.width;
    resource.height = descriptor.pitched.height;
    resource.pitch = descriptor.pitched.pitch;
    return resource.height == 0 ? Error::invalid_value : Error::success;
}

// Integers of 8 and 16 bits become floats of [0, 1] or [-1, 1] unless the program asks for integers.
bool becomes_float(const ArrayFormat& format, unsigned flags) {
    const bool narrow =
        format.type == TexelType::u8 || format.type == TexelType::s8 || format.type == TexelType::u16 || format.type == TexelType::s16;
    return narrow && (flags & read_as_integer) == 0;
}

Error sampler_of(const TextureDescriptor& descriptor, const ArrayFormat& format, apod::emu::Sampler& sampler) {
    for (std::size_t d = 0; d < 3; ++d) {
        if (descriptor.addressing[d] < 0 || descriptor.addressing[d] > 3) return Error::invalid_value;
        sampler.addressing[d] = static_cast<apod::emu::Addressing>(descriptor.addressing[d]);
    }
    for (std::size_t c = 0; c < 4; ++c) sampler.border[c] = descriptor.border[c];
    sampler.linear = descriptor.filter != 0;
    sampler.normalised_float = becomes_float(format, descriptor.flags);
    sampler.normalised_coordinates = (descriptor.flags & normalised_coordinates) != 0;
    sampler.srgb = (descriptor.flags & srgb) != 0;
    sampler.linear_levels = descriptor.level_filter != 0;
    sampler.level_bias = descriptor.level_bias;
    sampler.lowest_level = descriptor.lowest_level;
    sampler.highest_level = descriptor.highest_level;
    sampler.most_anisotropy = descriptor.most_anisotropy;
    return Error::success;
}

// CUresourceViewFormat: three of each type by channels, in the order of TexelType. Block-compressed formats follow.
Error view_of(const ViewDescriptor& descriptor, TextureView& view) {
    constexpr int last_format = 24;
    if (descriptor.format < 0 || descriptor.format > last_format) return Error::not_supported;
    if (descriptor.format != 0) {
        constexpr std::uint32_t channels[] = {1, 2, 4};
        view.reformats = true;
        view.format = {static_cast<TexelType>((descriptor.format - 1) / 3), channels[(descriptor.format - 1) % 3], false};
    }
    view.first_level = descriptor.first_level;
    view.last_level = descriptor.last_level;
    view.first_layer = descriptor.first_layer;
    view.last_layer = descriptor.last_layer;
    return Error::success;
}

Error destroy(unsigned long long handle) {
    return call([&](Runtime& runtime, Context&) {
        made_objects().erase(handle);
        return destroy_image(runtime, handle);
    });
}

// `get` takes from what the object was made from.
template<class Get> Error ask(unsigned long long handle, bool surface, const void* into, const Get& get) {
    return call([&](Runtime&, Context&) {
        const auto found = made_objects().find(handle);
        if (found == made_objects().end() || found->second.is_surface != surface || into == nullptr) return Error::invalid_value;
        return get(found->second);
    });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuTexObjectCreate(unsigned long long* handle, const ResourceDescriptor* resource, const TextureDescriptor* texture,
                        const ViewDescriptor* view) {
    if (handle == nullptr || resource == nullptr || texture == nullptr) return Error::invalid_value;
    return call([&](Runtime& runtime, Context&) {
        TextureRequest request;
        if (const Error error = resource_of(*resource, request.resource); error != Error::success) return error;
        if (const Error error = sampler_of(*texture, request.resource.format, request.sampler); error != Error::success) return error;
        request.seamless = (texture->flags & seamless) != 0;
        TextureView part;
        if (view != nullptr) {
            if (resource->type != of_array && resource->type != of_mipmapped) return Error::invalid_value;
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

Error cuTexObjectDestroy(unsigned long long handle) { return destroy(handle); }

Error cuTexObjectGetResourceDesc(ResourceDescriptor* resource, unsigned long long handle) {
    return ask(handle, false, resource, [&](const Made& made) { return *resource = made.resource, Error::success; });
}
Error cuTexObjectGetTextureDesc(TextureDescriptor* texture, unsigned long long handle) {
    return ask(handle, false, texture, [&](const Made& made) { return *texture = made.texture, Error::success; });
}
Error cuTexObjectGetResourceViewDesc(ViewDescriptor* view, unsigned long long handle) {
    return ask(handle, false, view, [&](const Made& made) {
        if (!made.has_view) return Error::invalid_value;
        *view = made.view;
        return Error::success;
    });
}

Error cuSurfObjectCreate(unsigned long long* handle, const ResourceDescriptor* resource) {
    if (handle == nullptr || resource == nullptr || resource->type != of_array) return Error::invalid_value;
    return call([&](Runtime& runtime, Context&) {
        const Array* array = ArrayTable::instance().find(resource->array);
        if (array == nullptr) return invalid_handle;
        std::uint64_t made = 0;
        if (const Error error = create_surface(runtime, *array, made); error != Error::success) return error;
        *handle = made;
        made_objects()[made] = {*resource, {}, {}, false, true};
        return Error::success;
    });
}

Error cuSurfObjectDestroy(unsigned long long handle) { return destroy(handle); }

Error cuSurfObjectGetResourceDesc(ResourceDescriptor* resource, unsigned long long handle) {
    return ask(handle, true, resource, [&](const Made& made) { return *resource = made.resource, Error::success; });
}

} // extern "C"
#pragma GCC visibility pop
