// What is known of an address.
#include "runtime/cuda/call.hpp"

#include <cstring>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

enum Attribute : int {
    context = 1,
    memory_type = 2,
    device_pointer = 3,
    host_pointer = 4,
    sync_memops = 6,
    buffer_id = 7,
    is_managed = 8,
    device_ordinal = 9,
    legacy_ipc = 10,
    range_start = 11,
    range_size = 12,
    mapped = 13,
    handle_types = 14,
    direct_rdma = 15,
    access_flags = 16,
    pool_handle = 17
};

template<class T> Error give(void* data, const T& value) {
    std::memcpy(data, &value, sizeof value);
    return Error::success;
}

// Where the address lies; a module's variables count as device memory.
std::optional<Held> place_of(Runtime& runtime, Address address) {
    if (const auto held = runtime.memory().find(address)) return held;
    const auto allocation = runtime.device_memory().find(address);
    if (!allocation) return std::nullopt;
    return Held{allocation->base, allocation->bytes, MemoryKind::device, thread_state().device, 0};
}

Error attribute_of(Runtime& runtime, const Held& held, int attribute, Address address, void* data) {
    const bool host = held.kind == MemoryKind::host || held.kind == MemoryKind::registered;
    const bool managed = held.kind == MemoryKind::managed;
    switch (attribute) {
    case context: return give(data, managed ? nullptr : &Contexts::instance().primary(runtime, held.device));
    case memory_type: return give(data, host ? 1u : 2u);
    case device_pointer: return give(data, address);
    case host_pointer: return host || managed ? give(data, address) : Error::invalid_value;
    case buffer_id: return give(data, static_cast<unsigned long long>(held.base)); // one to each allocation
    case is_managed: return give(data, managed ? 1u : 0u);
    case device_ordinal: return give(data, held.device);
    case range_start: return give(data, held.base);
    case range_size: return give(data, static_cast<std::size_t>(held.bytes));
    case mapped: return give(data, 1u);
    case access_flags: return give(data, 3u); // reading and writing
    case handle_types: return give(data, 0ull);
    case sync_memops:
    case legacy_ipc:
    case direct_rdma: return give(data, 0u);
    case pool_handle: return give(data, static_cast<void*>(nullptr));
    default: return Error::invalid_value;
    }
}

std::size_t attribute_bytes(int attribute) {
    switch (attribute) {
    case memory_type:
    case sync_memops:
    case is_managed:
    case device_ordinal:
    case legacy_ipc:
    case mapped:
    case direct_rdma:
    case access_flags: return 4;
    default: return 8;
    }
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuPointerGetAttribute(void* data, int attribute, Address address) {
    if (data == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context&) {
        const std::optional<Held> held = place_of(runtime, address);
        return held ? attribute_of(runtime, *held, attribute, address, data) : Error::invalid_value;
    });
}

// An address that CUDA does not know is no error here: its attributes are zero, and its device is -2.
Error cuPointerGetAttributes(unsigned count, int* attributes, void** data, Address address) {
    if (attributes == nullptr || data == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context&) {
        const std::optional<Held> held = place_of(runtime, address);
        for (unsigned i = 0; i < count; ++i) {
            std::memset(data[i], 0, attribute_bytes(attributes[i]));
            if (held)
                (void)attribute_of(runtime, *held, attributes[i], address, data[i]);
            else if (attributes[i] == device_ordinal)
                (void)give(data[i], -2);
        }
        return Error::success;
    });
}

Error cuPointerSetAttribute(const void* value, int attribute, Address address) {
    if (value == nullptr || attribute != sync_memops) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context&) { return place_of(runtime, address) ? Error::success : Error::invalid_value; });
}

} // extern "C"
#pragma GCC visibility pop
