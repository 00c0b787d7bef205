// Memory and events that processes share.
#include "runtime/core/shared_memory.hpp"
#include "runtime/cudart/call.hpp"

#include <cstring>

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

constexpr unsigned interprocess = 4;                            // cudaEventInterprocess
constexpr unsigned untimed = 2;                                 // cudaEventDisableTiming
constexpr std::uint64_t event_mark = 0x31'74'6e'65'76'65'70'61; // "apevent1"
constexpr std::size_t handle_bytes = 64;

struct Handle { // cudaIpcMemHandle_t and cudaIpcEventHandle_t
    char bytes[handle_bytes];
};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaIpcGetMemHandle(Handle* handle, void* address) {
    if (handle == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        SharedMemory::Name name;
        const Error error = runtime.shared_memory().name(reinterpret_cast<std::uint64_t>(address), name);
        if (error == Error::success) std::memcpy(handle, &name, sizeof name);
        return error;
    });
}

Error cudaIpcOpenMemHandle(void** address, Handle handle, unsigned flags) {
    constexpr unsigned lazy_peer_access = 1; // cudaIpcMemLazyEnablePeerAccess, which must be given
    if (address == nullptr || flags != lazy_peer_access) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        SharedMemory::Name name;
        std::memcpy(&name, &handle, sizeof name);
        std::uint64_t at = 0;
        if (name.device < 0 || name.device >= runtime.device_count()) return Error::invalid_value;
        const Error error = runtime.shared_memory().open(name, at);
        if (error == Error::success) *address = reinterpret_cast<void*>(at);
        return error;
    });
}

Error cudaIpcCloseMemHandle(void* address) {
    return call([&](Runtime& runtime) { return runtime.shared_memory().close(reinterpret_cast<std::uint64_t>(address)); });
}

// Work runs when it is issued, so by the time that another process has learnt of a record, the work before it is over: an event has nothing
// to carry from process to process.
Error cudaIpcGetEventHandle(Handle* handle, Event* event) {
    return call([&](Runtime& runtime) {
        if (handle == nullptr) return Error::invalid_value;
        if (!runtime.is_event(event)) return Error::invalid_resource_handle;
        if ((event->flags & (interprocess | untimed)) != (interprocess | untimed)) return Error::invalid_resource_handle;
        *handle = {};
        std::memcpy(handle, &event_mark, sizeof event_mark);
        return Error::success;
    });
}

Error cudaIpcOpenEventHandle(Event** event, Handle handle) {
    return call([&](Runtime& runtime) {
        if (event == nullptr || std::memcmp(&handle, &event_mark, sizeof event_mark) != 0) return Error::invalid_value;
        *event = runtime.create_event(interprocess | untimed);
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
