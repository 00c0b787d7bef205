// CUDA arrays: making, asking, copying.
#include "runtime/cudart/arrays.hpp"

#include "runtime/core/array.hpp"
#include "runtime/cudart/call.hpp"
#include "runtime/cudart/texture_types.hpp"

#include <algorithm>

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

constexpr unsigned driver_flags = 0xff; // of cudaArray*: those known to the core

Error request_of(const ChannelDescriptor* format, Extent extent, unsigned flags, ArrayRequest& request) {
    if (format == nullptr) return Error::invalid_value;
    const auto known = array_format(*format);
    if (!known) return Error::invalid_channel_descriptor;
    request = {*known, extent.width, extent.height, extent.depth, flags & driver_flags};
    return Error::success;
}

Error make(void** array, const ChannelDescriptor* format, Extent extent, unsigned flags) {
    if (array == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        ArrayRequest request;
        if (const Error error = request_of(format, extent, flags, request); error != Error::success) return error;
        Array* made = nullptr;
        if (const Error error = ArrayTable::instance().create(runtime, this_thread().device, request, made); error != Error::success)
            return error;
        *array = made;
        return Error::success;
    });
}

// The device ends what it does before memory goes.
template<class Free> Error release(const Free& free) {
    return call([&](Runtime& runtime) {
        Device& device = runtime.device(this_thread().device);
        device.timeline.host_waits_for(device.timeline.all_ready_ns());
        return free(runtime);
    });
}

bool is_kind(int kind) { return kind >= 0 && kind <= 4; }

// One side of a copy of rows.
struct Side {
    std::byte* start = nullptr;
    std::uint64_t pitch = 0;
};

Error array_side(const void* handle, std::size_t x, std::size_t y, std::size_t width, std::size_t height, Side& side) {
    const Array* array = ArrayTable::instance().find(handle);
    if (array == nullptr) return Error::invalid_resource_handle;
    if (!array->contains(x, y, 0, width, height, 1)) return Error::invalid_value;
    side = {array->at(x, y, 0), array->image.levels[0].pitch};
    return Error::success;
}

CopyWork rows(const Side& to, const Side& from, std::size_t width, std::size_t height, int kind) {
    CopyWork work;
    work.to = to.start;
    work.from = from.start;
    work.kind = static_cast<CopyKind>(kind);
    work.width = width;
    work.height = height;
    work.to_pitch = to.pitch;
    work.from_pitch = from.pitch;
    return work;
}

struct Place {
    const void* array;
    std::size_t x, y;
};

// `plan(works)` says what is to be copied; `wait`: the call returns when it is done.
template<class Plan> Error copy(int kind, Stream* handle, bool wait, const Plan& plan) {
    if (!is_kind(kind)) return remember(Error::invalid_memcpy_direction);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        std::vector<CopyWork> works;
        if (const Error error = plan(works); error != Error::success) return error;
        for (const CopyWork& work : works)
            if (const Error error = runtime.submit(stream, work); error != Error::success) return error;
        if (wait) {
            Timeline& timeline = runtime.device(stream.device).timeline;
            timeline.host_waits_for(timeline.ready_ns(stream));
        }
        return Error::success;
    });
}

Error rows_to_array(const Place& to, const void* from, std::size_t pitch, std::size_t width, std::size_t height, int kind, Stream* stream,
                    bool wait) {
    if (width > pitch && height > 1) return remember(Error::invalid_pitch_value);
    return copy(kind, stream, wait, [&](std::vector<CopyWork>& works) {
        Side side;
        if (const Error error = array_side(to.array, to.x, to.y, width, height, side); error != Error::success) return error;
        works.push_back(rows(side, {static_cast<std::byte*>(const_cast<void*>(from)), pitch}, width, height, kind));
        return Error::success;
    });
}

Error rows_from_array(void* to, std::size_t pitch, const Place& from, std::size_t width, std::size_t height, int kind, Stream* stream,
                      bool wait) {
    if (width > pitch && height > 1) return remember(Error::invalid_pitch_value);
    return copy(kind, stream, wait, [&](std::vector<CopyWork>& works) {
        Side side;
        if (const Error error = array_side(from.array, from.x, from.y, width, height, side); error != Error::success) return error;
        works.push_back(rows({static_cast<std::byte*>(to), pitch}, side, width, height, kind));
        return Error::success;
    });
}

// `bytes` from a place on, row after row, as CUDA 12's cudaMemcpyToArray counts them.
class Run {
public:
    Run(const Array& array, std::size_t x, std::size_t y) : array_(array), x_(x), y_(y) {}
    [[nodiscard]] bool has(std::size_t bytes) const {
        return x_ < array_.row_bytes() && y_ < array_.rows() && bytes <= (array_.rows() - y_) * array_.row_bytes() - x_;
    }
    [[nodiscard]] std::size_t in_row() const { return array_.row_bytes() - x_; }
    [[nodiscard]] std::byte* at() const { return array_.at(x_, y_, 0); }
    void advance(std::size_t bytes) {
        x_ += bytes;
        if (x_ < array_.row_bytes()) return;
        x_ = 0;
        ++y_;
    }

private:
    const Array& array_;
    std::size_t x_;
    std::size_t y_;
};

// The two sides of a run of bytes: arrays, or memory where `array` is null and `memory` is not.
struct RunSide {
    Place place{};
    std::byte* memory = nullptr;
};

Error copy_run(const RunSide& to, const RunSide& from, std::size_t bytes, int kind, Stream* stream, bool wait) {
    return copy(kind, stream, wait, [&](std::vector<CopyWork>& works) {
        const auto find = [](const RunSide& side) {
            return side.memory == nullptr ? ArrayTable::instance().find(side.place.array) : nullptr;
        };
        const Array* to_array = find(to);
        const Array* from_array = find(from);
        if ((to.memory == nullptr && to_array == nullptr) || (from.memory == nullptr && from_array == nullptr))
            return Error::invalid_resource_handle;
        std::optional<Run> target;
        std::optional<Run> source;
        if (to_array != nullptr) target.emplace(*to_array, to.place.x, to.place.y);
        if (from_array != nullptr) source.emplace(*from_array, from.place.x, from.place.y);
        if ((target && !target->has(bytes)) || (source && !source->has(bytes))) return Error::invalid_value;
        for (std::size_t done = 0; done < bytes;) {
            std::size_t part = bytes - done;
            if (target) part = std::min(part, target->in_row());
            if (source) part = std::min(part, source->in_row());
            works.push_back(
                rows({target ? target->at() : to.memory + done, 0}, {source ? source->at() : from.memory + done, 0}, part, 1, kind));
            if (target) target->advance(part);
            if (source) source->advance(part);
            done += part;
        }
        return Error::success;
    });
}

std::byte* as_bytes(const void* pointer) { return static_cast<std::byte*>(const_cast<void*>(pointer)); }

// A side of cudaMemcpy3D; `texel` is the size of a texel of the copy, `extent` in texels.
Error side_of_box(const void* handle, const PitchedPointer& memory, const Position& at, const Extent& extent, std::uint64_t texel,
                  Side& side, std::uint64_t& slice) {
    if (handle == nullptr) {
        side = {static_cast<std::byte*>(memory.pointer) + (at.z * memory.height + at.y) * memory.pitch + at.x, memory.pitch};
        slice = memory.pitch * memory.height;
        return extent.height > 1 && extent.width * texel > memory.pitch ? Error::invalid_pitch_value : Error::success;
    }
    const Array* array = ArrayTable::instance().find(handle);
    if (array == nullptr) return Error::invalid_resource_handle;
    const std::uint64_t bytes = array->image.texel_bytes();
    if (bytes != texel || !array->contains(at.x * bytes, at.y, at.z, extent.width * bytes, extent.height, extent.depth))
        return Error::invalid_value;
    side = {array->at(at.x * bytes, at.y, at.z), array->image.levels[0].pitch};
    slice = array->image.levels[0].slice;
    return Error::success;
}

} // namespace

namespace apod::runtime::cudart {

Error box_of_arrays(const Copy3d& parameters, CopyWork& work) {
    if (!is_kind(parameters.kind)) return Error::invalid_memcpy_direction;
    const std::lock_guard lock(Runtime::instance().mutex);
    const Array* array = ArrayTable::instance().find(parameters.from_array != nullptr ? parameters.from_array : parameters.to_array);
    if (array == nullptr) return Error::invalid_resource_handle;
    const std::uint64_t texel = array->image.texel_bytes();
    Side to;
    Side from;
    std::uint64_t to_slice = 0;
    std::uint64_t from_slice = 0;
    if (const Error error = side_of_box(parameters.to_array, parameters.to, parameters.to_position, parameters.extent, texel, to, to_slice);
        error != Error::success)
        return error;
    if (const Error error =
            side_of_box(parameters.from_array, parameters.from, parameters.from_position, parameters.extent, texel, from, from_slice);
        error != Error::success)
        return error;
    work = rows(to, from, parameters.extent.width * texel, parameters.extent.height, parameters.kind);
    work.depth = parameters.extent.depth;
    work.to_slice = to_slice;
    work.from_slice = from_slice;
    return Error::success;
}

} // namespace apod::runtime::cudart

#pragma GCC visibility push(default)
extern "C" {

Error cudaMallocArray(void** array, const ChannelDescriptor* format, std::size_t width, std::size_t height, unsigned flags) {
    return make(array, format, {width, height, 0}, flags);
}
Error cudaMalloc3DArray(void** array, const ChannelDescriptor* format, Extent extent, unsigned flags) {
    return make(array, format, extent, flags);
}
Error cudaFreeArray(void* array) {
    return release([&](Runtime& runtime) { return ArrayTable::instance().destroy(runtime, array); });
}

Error cudaMallocMipmappedArray(void** array, const ChannelDescriptor* format, Extent extent, unsigned levels, unsigned flags) {
    if (array == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        ArrayRequest request;
        if (const Error error = request_of(format, extent, flags, request); error != Error::success) return error;
        MipmappedArray* made = nullptr;
        const Error error = ArrayTable::instance().create(runtime, this_thread().device, request, levels, made);
        if (error == Error::success) *array = made;
        return error;
    });
}
Error cudaFreeMipmappedArray(void* array) {
    return release([&](Runtime& runtime) { return ArrayTable::instance().destroy_mipmapped(runtime, array); });
}
Error cudaGetMipmappedArrayLevel(void** array, const void* mipmapped, unsigned level) {
    return call([&](Runtime&) {
        const MipmappedArray* found = ArrayTable::instance().find_mipmapped(mipmapped);
        if (found == nullptr) return Error::invalid_resource_handle;
        if (array == nullptr || level >= found->levels.size()) return Error::invalid_value;
        *array = found->levels[level].get();
        return Error::success;
    });
}

Error cudaGetChannelDesc(ChannelDescriptor* format, const void* array) {
    return call([&](Runtime&) {
        const Array* found = ArrayTable::instance().find(array);
        if (found == nullptr || format == nullptr) return found == nullptr ? Error::invalid_resource_handle : Error::invalid_value;
        *format = channel_descriptor(found->request.format);
        return Error::success;
    });
}
Error cudaArrayGetInfo(ChannelDescriptor* format, Extent* extent, unsigned* flags, const void* array) {
    return call([&](Runtime&) {
        const Array* found = ArrayTable::instance().find(array);
        if (found == nullptr) return Error::invalid_resource_handle;
        if (format != nullptr) *format = channel_descriptor(found->request.format);
        if (extent != nullptr) *extent = {found->request.width, found->request.height, found->request.depth};
        if (flags != nullptr) *flags = found->request.flags;
        return Error::success;
    });
}

Error cudaMemcpy2DToArray(void* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch, std::size_t width,
                          std::size_t height, int kind) {
    return rows_to_array({to, x, y}, from, pitch, width, height, kind, nullptr, true);
}
Error cudaMemcpy2DToArrayAsync(void* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch, std::size_t width,
                               std::size_t height, int kind, Stream* stream) {
    return rows_to_array({to, x, y}, from, pitch, width, height, kind, stream, false);
}
Error cudaMemcpy2DFromArray(void* to, std::size_t pitch, const void* from, std::size_t x, std::size_t y, std::size_t width,
                            std::size_t height, int kind) {
    return rows_from_array(to, pitch, {from, x, y}, width, height, kind, nullptr, true);
}
Error cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, const void* from, std::size_t x, std::size_t y, std::size_t width,
                                 std::size_t height, int kind, Stream* stream) {
    return rows_from_array(to, pitch, {from, x, y}, width, height, kind, stream, false);
}
Error cudaMemcpy2DArrayToArray(void* to, std::size_t to_x, std::size_t to_y, const void* from, std::size_t from_x, std::size_t from_y,
                               std::size_t width, std::size_t height, int kind) {
    return copy(kind, nullptr, true, [&](std::vector<CopyWork>& works) {
        Side target;
        Side source;
        if (const Error error = array_side(to, to_x, to_y, width, height, target); error != Error::success) return error;
        if (const Error error = array_side(from, from_x, from_y, width, height, source); error != Error::success) return error;
        works.push_back(rows(target, source, width, height, kind));
        return Error::success;
    });
}

Error cudaMemcpyToArray(void* to, std::size_t x, std::size_t y, const void* from, std::size_t bytes, int kind) {
    return copy_run({{to, x, y}, nullptr}, {{}, as_bytes(from)}, bytes, kind, nullptr, true);
}
Error cudaMemcpyToArrayAsync(void* to, std::size_t x, std::size_t y, const void* from, std::size_t bytes, int kind, Stream* stream) {
    return copy_run({{to, x, y}, nullptr}, {{}, as_bytes(from)}, bytes, kind, stream, false);
}
Error cudaMemcpyFromArray(void* to, const void* from, std::size_t x, std::size_t y, std::size_t bytes, int kind) {
    return copy_run({{}, as_bytes(to)}, {{from, x, y}, nullptr}, bytes, kind, nullptr, true);
}
Error cudaMemcpyFromArrayAsync(void* to, const void* from, std::size_t x, std::size_t y, std::size_t bytes, int kind, Stream* stream) {
    return copy_run({{}, as_bytes(to)}, {{from, x, y}, nullptr}, bytes, kind, stream, false);
}
Error cudaMemcpyArrayToArray(void* to, std::size_t to_x, std::size_t to_y, const void* from, std::size_t from_x, std::size_t from_y,
                             std::size_t bytes, int kind) {
    return copy_run({{to, to_x, to_y}, nullptr}, {{from, from_x, from_y}, nullptr}, bytes, kind, nullptr, true);
}

} // extern "C"
#pragma GCC visibility pop
