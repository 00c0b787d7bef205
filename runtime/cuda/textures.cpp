// Texture and surface objects.
#include "runtime/core/texture_descriptors.hpp"
#include "runtime/cuda/array_format.hpp"
#include "runtime/cuda/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

using apod::emu::TexelType;

enum TextureFlag : unsigned { read_as_integer = 1, normalised_coordinates = 2, srgb = 0x10, seamless = 0x40 };

using Images = MadeImages<ResourceDescriptor, TextureDescriptor, ViewDescriptor>;

Images& made_images() {
    static auto& images = *new Images;
    return images;
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
    return memory_of(descriptor, *format, linear ? descriptor.linear.address : descriptor.pitched.address, resource);
}

// Integers of 8 and 16 bits become floats of [0, 1] or [-1, 1] unless the program asks for integers.
bool becomes_float(const ArrayFormat& format, unsigned flags) {
    const bool narrow =
        format.type == TexelType::u8 || format.type == TexelType::s8 || format.type == TexelType::u16 || format.type == TexelType::s16;
    return narrow && (flags & read_as_integer) == 0;
}

Error sampler_of(const TextureDescriptor& descriptor, const ArrayFormat& format, apod::emu::Sampler& sampler) {
    sampler.normalised_float = becomes_float(format, descriptor.flags);
    sampler.normalised_coordinates = (descriptor.flags & normalised_coordinates) != 0;
    sampler.srgb = (descriptor.flags & srgb) != 0;
    return sampling_of(descriptor, sampler);
}

Error destroy(unsigned long long handle) {
    return call([&](Runtime& runtime, Context&) {
        made_images().forget(handle);
        return destroy_image(runtime, handle);
    });
}

// `get` takes from what the texture was made from.
template<class Get> Error ask(unsigned long long handle, const void* into, const Get& get) {
    return call([&](Runtime&, Context&) {
        const auto* made = made_images().find_texture(handle);
        return made == nullptr || into == nullptr ? Error::invalid_value : get(*made);
    });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuTexObjectCreate(unsigned long long* handle, const ResourceDescriptor* resource, const TextureDescriptor* texture,
                        const ViewDescriptor* view) {
    if (handle == nullptr || resource == nullptr || texture == nullptr) return refuse(Error::invalid_value);
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
        made_images().texture(made, *resource, *texture, view);
        return Error::success;
    });
}

Error cuTexObjectDestroy(unsigned long long handle) { return destroy(handle); }

Error cuTexObjectGetResourceDesc(ResourceDescriptor* resource, unsigned long long handle) {
    return ask(handle, resource, [&](const Images::Made& made) { return *resource = made.resource, Error::success; });
}
Error cuTexObjectGetTextureDesc(TextureDescriptor* texture, unsigned long long handle) {
    return ask(handle, texture, [&](const Images::Made& made) { return *texture = made.texture, Error::success; });
}
Error cuTexObjectGetResourceViewDesc(ViewDescriptor* view, unsigned long long handle) {
    return ask(handle, view, [&](const Images::Made& made) {
        if (!made.has_view) return Error::invalid_value;
        *view = made.view;
        return Error::success;
    });
}

Error cuSurfObjectCreate(unsigned long long* handle, const ResourceDescriptor* resource) {
    if (handle == nullptr || resource == nullptr || resource->type != of_array) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context&) {
        const Array* array = ArrayTable::instance().find(resource->array);
        if (array == nullptr) return invalid_handle;
        std::uint64_t made = 0;
        if (const Error error = create_surface(runtime, *array, made); error != Error::success) return error;
        *handle = made;
        made_images().surface(made, *resource);
        return Error::success;
    });
}

Error cuSurfObjectDestroy(unsigned long long handle) { return destroy(handle); }

Error cuSurfObjectGetResourceDesc(ResourceDescriptor* resource, unsigned long long handle) {
    return call([&](Runtime&, Context&) {
        const auto* made = made_images().find_surface(handle);
        if (made == nullptr || resource == nullptr) return Error::invalid_value;
        *resource = made->resource;
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
