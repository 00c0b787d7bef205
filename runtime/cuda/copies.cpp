#include "runtime/cuda/copies.hpp"

#include "runtime/core/array.hpp"
#include "runtime/cuda/errors.hpp"

namespace apod::runtime::cuda {
namespace {

constexpr int type_host = 1;
constexpr int type_array = 3;
constexpr int type_unified = 4;

// Where a side's rows lie.
struct Rows {
    Address start = 0;
    std::uint64_t pitch = 0;
    std::uint64_t slice = 0;
};

Error rows_of(const Side3d& side, const Copy3d& box, Rows& rows) {
    if (side.type == type_array) {
        const Array* array = ArrayTable::instance().find(side.array);
        if (array == nullptr) return invalid_handle;
        if (!array->contains(side.x, side.y, side.z, box.width, box.height, box.depth)) return Error::invalid_value;
        rows = {reinterpret_cast<Address>(array->at(side.x, side.y, side.z)), array->image.levels[0].pitch, array->image.levels[0].slice};
        return Error::success;
    }
    if (side.type < type_host || side.type > type_unified) return Error::invalid_value;
    if (box.height > 1 && side.pitch < side.x + box.width) return Error::invalid_value;
    if (box.depth > 1 && side.height < side.y + box.height) return Error::invalid_value;
    const Address base = side.type == type_host ? reinterpret_cast<Address>(side.host) : side.device;
    rows = {base + (side.z * side.height + side.y) * side.pitch + side.x, side.pitch, side.pitch * side.height};
    return Error::success;
}

// What the two sides say together; unified memory says for itself where it lies.
CopyKind kind_of(int from, int to) {
    if (from == type_unified || to == type_unified) return CopyKind::automatic;
    if (from != type_host) return to != type_host ? CopyKind::device_to_device : CopyKind::device_to_host;
    return to != type_host ? CopyKind::host_to_device : CopyKind::host_to_host;
}

Side3d widened(const Side2d& side) { return {side.x, side.y, 0, 0, side.type, side.host, side.device, side.array, nullptr, side.pitch, 0}; }

} // namespace

CopyWork flat_copy(Address to, Address from, std::size_t bytes, CopyKind kind) {
    CopyWork work;
    work.to = reinterpret_cast<void*>(to);
    work.from = reinterpret_cast<const void*>(from);
    work.kind = kind;
    work.width = bytes;
    return work;
}

Error box_copy(const Copy3d& parameters, CopyWork& work) {
    Rows to;
    Rows from;
    if (const Error error = rows_of(parameters.to, parameters, to); error != Error::success) return error;
    if (const Error error = rows_of(parameters.from, parameters, from); error != Error::success) return error;
    work = flat_copy(to.start, from.start, parameters.width, kind_of(parameters.from.type, parameters.to.type));
    work.height = parameters.height;
    work.depth = parameters.depth;
    work.to_pitch = to.pitch;
    work.from_pitch = from.pitch;
    work.to_slice = to.slice;
    work.from_slice = from.slice;
    return Error::success;
}

Copy3d in_three_dimensions(const Copy2d& parameters) {
    return {widened(parameters.from), widened(parameters.to), parameters.width, parameters.height, 1};
}

} // namespace apod::runtime::cuda
