// Memory and events that processes share.
#include "runtime/core/shared_event.hpp"
#include "runtime/core/shared_memory.hpp"
#include "runtime/cudart/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

#pragma GCC visibility push(default)
extern "C" {

Error cudaIpcGetMemHandle(SharedMemory::Name* handle, void* address) {
    if (handle == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) { return runtime.shared_memory().name(reinterpret_cast<std::uint64_t>(address), *handle); });
}

Error cudaIpcOpenMemHandle(void** address, SharedMemory::Name handle, unsigned flags) {
    constexpr unsigned lazy_peer_access = 1; // cudaIpcMemLazyEnablePeerAccess, which must be given
    if (address == nullptr || flags != lazy_peer_access) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        std::uint64_t at = 0;
        if (handle.device < 0 || handle.device >= runtime.device_count()) return Error::invalid_value;
        const Error error = runtime.shared_memory().open(handle, at);
        if (error == Error::success) *address = reinterpret_cast<void*>(at);
        return error;
    });
}

Error cudaIpcCloseMemHandle(void* address) {
    return call([&](Runtime& runtime) { return runtime.shared_memory().close(reinterpret_cast<std::uint64_t>(address)); });
}

Error cudaIpcGetEventHandle(EventName* handle, Event* event) {
    return call([&](Runtime& runtime) { return handle == nullptr ? Error::invalid_value : name_event(runtime, event, *handle); });
}

Error cudaIpcOpenEventHandle(Event** event, EventName handle) {
    return call([&](Runtime& runtime) { return event == nullptr ? Error::invalid_value : open_event(runtime, handle, *event); });
}

} // extern "C"
#pragma GCC visibility pop
