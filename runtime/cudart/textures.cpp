// Texture and surface objects.
#include "runtime/core/texture_descriptors.hpp"
#include "runtime/cudart/call.hpp"
#include "runtime/cudart/texture_types.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

using Images = MadeImages<ResourceDescriptor, TextureDescriptor, ViewDescriptor>;

Images& made_images() {
    static auto& images = *new Images;
    return images;
}

Error resource_of(const ResourceDescriptor& descriptor, TextureResource& resource) {
    switch (descriptor.type) {
    case of_array: resource.array = ArrayTable::instance().find(descriptor.array); break;
    case of_mipmapped: resource.mipmapped = ArrayTable::instance().find_mipmapped(descriptor.array); break;
    case of_linear:
    case of_pitched: {
        const bool linear = descriptor.type == of_linear;
        const auto format = array_format(linear ? descriptor.linear.format : descriptor.pitched.format);
        if (!format) return Error::invalid_channel_descriptor;
        const void* memory = linear ? descriptor.linear.pointer : descriptor.pitched.pointer;
        return memory_of(descriptor, *format, reinterpret_cast<std::uint64_t>(memory), resource);
    }
    default: return Error::invalid_value;
    }
    return resource.array == nullptr && resource.mipmapped == nullptr ? Error::invalid_resource_handle : Error::success;
}

Error sampler_of(const TextureDescriptor& descriptor, apod::emu::Sampler& sampler) {
    sampler.normalised_float = descriptor.read != 0;
    sampler.normalised_coordinates = descriptor.normalised_coordinates != 0;
    sampler.srgb = descriptor.srgb != 0;
    return sampling_of(descriptor, sampler);
}

Error destroy(unsigned long long handle) {
    return call([&](Runtime& runtime) {
        made_images().forget(handle);
        return destroy_image(runtime, handle);
    });
}

// `get` takes from what the texture was made from.
template<class Get> Error ask(unsigned long long handle, const void* into, const Get& get) {
    return call([&](Runtime&) {
        const auto* made = made_images().find_texture(handle);
        return made == nullptr || into == nullptr ? Error::invalid_value : get(*made);
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

Error cudaDestroyTextureObject(unsigned long long handle) { return destroy(handle); }

Error cudaGetTextureObjectResourceDesc(ResourceDescriptor* resource, unsigned long long handle) {
    return ask(handle, resource, [&](const Images::Made& made) { return *resource = made.resource, Error::success; });
}
Error cudaGetTextureObjectTextureDesc(TextureDescriptor* texture, unsigned long long handle) {
    return ask(handle, texture, [&](const Images::Made& made) { return *texture = made.texture, Error::success; });
}
Error cudaGetTextureObjectResourceViewDesc(ViewDescriptor* view, unsigned long long handle) {
    return ask(handle, view, [&](const Images::Made& made) {
        if (!made.has_view) return Error::invalid_value;
        *view = made.view;
        return Error::success;
    });
}

Error cudaCreateSurfaceObject(unsigned long long* handle, const ResourceDescriptor* resource) {
    if (handle == nullptr || resource == nullptr || resource->type != of_array) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        const Array* array = ArrayTable::instance().find(resource->array);
        if (array == nullptr) return Error::invalid_resource_handle;
        std::uint64_t made = 0;
        if (const Error error = create_surface(runtime, *array, made); error != Error::success) return error;
        *handle = made;
        made_images().surface(made, *resource);
        return Error::success;
    });
}

Error cudaDestroySurfaceObject(unsigned long long handle) { return destroy(handle); }

Error cudaGetSurfaceObjectResourceDesc(ResourceDescriptor* resource, unsigned long long handle) {
    return call([&](Runtime&) {
        const auto* made = made_images().find_surface(handle);
        if (made == nullptr || resource == nullptr) return Error::invalid_value;
        *resource = made->resource;
        return Error::success;
    });
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
