// Copies of a run of bytes from or to an array, row after row.
#include "runtime/core/array.hpp"
#include "runtime/cuda/call.hpp"
#include "runtime/cuda/copies.hpp"

#include <algorithm>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

// A side of the copy: memory, or an array from a byte offset on.
struct Run {
    Address memory = 0;
    const Array* array = nullptr;
    std::size_t offset = 0;

    [[nodiscard]] bool has(std::size_t bytes) const {
        if (array == nullptr) return true;
        const std::uint64_t all = array->row_bytes() * array->rows();
        return offset <= all && bytes <= all - offset;
    }
    [[nodiscard]] std::size_t in_row() const { return array == nullptr ? SIZE_MAX : array->row_bytes() - offset % array->row_bytes(); }
    [[nodiscard]] Address at() const {
        if (array == nullptr) return memory + offset;
        return reinterpret_cast<Address>(array->at(offset % array->row_bytes(), offset / array->row_bytes(), 0));
    }
};

// Array handles are looked up under the lock; a null handle is memory.
struct Side {
    const void* handle = nullptr;
    std::size_t offset = 0;
    Address memory = 0;
    bool is_array = false;

    Error find(Run& run) const {
        run = {memory, is_array ? ArrayTable::instance().find(handle) : nullptr, offset};
        return is_array && run.array == nullptr ? invalid_handle : Error::success;
    }
};

Side array_side(const void* handle, std::size_t offset) { return {handle, offset, 0, true}; }
Side memory_side(Address address) { return {nullptr, 0, address, false}; }
Side memory_side(const void* pointer) { return memory_side(reinterpret_cast<Address>(pointer)); }

Error copy(const Side& to, const Side& from, std::size_t bytes, CopyKind kind, Stream* handle, bool wait) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        Run target;
        Run source;
        if (const Error error = to.find(target); error != Error::success) return error;
        if (const Error error = from.find(source); error != Error::success) return error;
        if (!target.has(bytes) || !source.has(bytes)) return Error::invalid_value;
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t part = std::min({bytes - done, target.in_row(), source.in_row()});
            if (const Error error = runtime.submit(stream, flat_copy(target.at(), source.at(), part, kind)); error != Error::success)
                return error;
            target.offset += part;
            source.offset += part;
            done += part;
        }
        Timeline& timeline = runtime.device(stream.device).timeline;
        if (wait) timeline.host_waits_for(timeline.ready_ns(stream));
        return Error::success;
    });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuMemcpyHtoA_v2(const void* to, std::size_t offset, const void* from, std::size_t bytes) {
    return copy(array_side(to, offset), memory_side(from), bytes, CopyKind::host_to_device, nullptr, true);
}
Error cuMemcpyHtoAAsync_v2(const void* to, std::size_t offset, const void* from, std::size_t bytes, Stream* stream) {
    return copy(array_side(to, offset), memory_side(from), bytes, CopyKind::host_to_device, stream, false);
}
Error cuMemcpyAtoH_v2(void* to, const void* from, std::size_t offset, std::size_t bytes) {
    return copy(memory_side(to), array_side(from, offset), bytes, CopyKind::device_to_host, nullptr, true);
}
Error cuMemcpyAtoHAsync_v2(void* to, const void* from, std::size_t offset, std::size_t bytes, Stream* stream) {
    return copy(memory_side(to), array_side(from, offset), bytes, CopyKind::device_to_host, stream, false);
}
Error cuMemcpyDtoA_v2(const void* to, std::size_t offset, Address from, std::size_t bytes) {
    return copy(array_side(to, offset), memory_side(from), bytes, CopyKind::device_to_device, nullptr, true);
}
Error cuMemcpyAtoD_v2(Address to, const void* from, std::size_t offset, std::size_t bytes) {
    return copy(memory_side(to), array_side(from, offset), bytes, CopyKind::device_to_device, nullptr, true);
}
Error cuMemcpyAtoA_v2(const void* to, std::size_t to_offset, const void* from, std::size_t from_offset, std::size_t bytes) {
    return copy(array_side(to, to_offset), array_side(from, from_offset), bytes, CopyKind::device_to_device, nullptr, true);
}

} // extern "C"
#pragma GCC visibility pop
