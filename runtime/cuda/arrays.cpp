// CUDA arrays and mipmapped arrays: making and asking.
#include "runtime/core/array.hpp"
#include "runtime/cuda/array_format.hpp"
#include "runtime/cuda/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

constexpr unsigned known_flags = array_layered | array_surface | array_cubemap | array_gather;

Error request_of(const Array3dDescriptor* descriptor, ArrayRequest& request) {
    if (descriptor == nullptr || (descriptor->flags & ~known_flags) != 0) return Error::invalid_value;
    const auto format = array_format(descriptor->format, descriptor->channels);
    if (!format) return Error::not_supported;
    request = {*format, descriptor->width, descriptor->height, descriptor->depth, descriptor->flags};
    return Error::success;
}

Error make(Array** array, const Array3dDescriptor* descriptor) {
    if (array == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context& context) {
        ArrayRequest request;
        const Error error = request_of(descriptor, request);
        return error != Error::success ? error : ArrayTable::instance().create(runtime, context.device, request, *array);
    });
}

// Runs `body(const Array&)` when the handle is an array's.
template<class Body> Error array_call(const void* handle, const Body& body) {
    return call([&](Runtime&, Context&) {
        const Array* array = ArrayTable::instance().find(handle);
        return array == nullptr ? invalid_handle : body(*array);
    });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuArray3DCreate_v2(Array** array, const Array3dDescriptor* descriptor) { return make(array, descriptor); }

Error cuArrayCreate_v2(Array** array, const ArrayDescriptor* descriptor) {
    if (descriptor == nullptr) return refuse(Error::invalid_value);
    const Array3dDescriptor full = {descriptor->width, descriptor->height, 0, descriptor->format, descriptor->channels, 0};
    return make(array, &full);
}

Error cuArrayDestroy(const void* array) {
    return call(
        [&](Runtime& runtime, Context&) { return array == nullptr ? invalid_handle : ArrayTable::instance().destroy(runtime, array); });
}

Error cuArray3DGetDescriptor_v2(Array3dDescriptor* descriptor, const void* handle) {
    if (descriptor == nullptr) return refuse(Error::invalid_value);
    return array_call(handle, [&](const Array& array) {
        const ArrayRequest& request = array.request;
        *descriptor = {request.width, request.height, request.depth, format_number(request.format), request.format.channels, request.flags};
        return Error::success;
    });
}

Error cuArrayGetDescriptor_v2(ArrayDescriptor* descriptor, const void* handle) {
    if (descriptor == nullptr) return refuse(Error::invalid_value);
    return array_call(handle, [&](const Array& array) {
        const ArrayRequest& request = array.request;
        *descriptor = {request.width, request.height, format_number(request.format), request.format.channels};
        return Error::success;
    });
}

Error cuMipmappedArrayCreate(MipmappedArray** array, const Array3dDescriptor* descriptor, unsigned levels) {
    if (array == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context& context) {
        ArrayRequest request;
        const Error error = request_of(descriptor, request);
        return error != Error::success ? error : ArrayTable::instance().create(runtime, context.device, request, levels, *array);
    });
}

Error cuMipmappedArrayDestroy(const void* array) {
    return call([&](Runtime& runtime, Context&) {
        return array == nullptr ? invalid_handle : ArrayTable::instance().destroy_mipmapped(runtime, array);
    });
}

Error cuMipmappedArrayGetLevel(Array** array, const void* handle, unsigned level) {
    if (array == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime&, Context&) {
        const MipmappedArray* found = ArrayTable::instance().find_mipmapped(handle);
        if (found == nullptr) return invalid_handle;
        if (level >= found->levels.size()) return Error::invalid_value;
        *array = found->levels[level].get();
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
