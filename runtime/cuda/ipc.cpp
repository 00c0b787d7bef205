// Memory and events that processes share, as the runtime API has them.
#include "runtime/core/shared_event.hpp"
#include "runtime/core/shared_memory.hpp"
#include "runtime/cuda/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

#pragma GCC visibility push(default)
extern "C" {

Error cuIpcGetMemHandle(SharedMemory::Name* handle, Address address) {
    if (handle == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context&) { return runtime.shared_memory().name(address, *handle); });
}

Error cuIpcOpenMemHandle_v2(Address* address, SharedMemory::Name handle, unsigned flags) {
    constexpr unsigned lazy_peer_access = 1; // CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS, which must be given
    if (address == nullptr || flags != lazy_peer_access) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context&) {
        if (handle.device < 0 || handle.device >= runtime.device_count()) return Error::invalid_value;
        return runtime.shared_memory().open(handle, *address);
    });
}
Error cuIpcOpenMemHandle(Address* address, SharedMemory::Name handle, unsigned flags) {
    return cuIpcOpenMemHandle_v2(address, handle, flags);
}

Error cuIpcCloseMemHandle(Address address) {
    return call([&](Runtime& runtime, Context&) { return runtime.shared_memory().close(address); });
}

Error cuIpcGetEventHandle(EventName* handle, Event* event) {
    return call([&](Runtime& runtime, Context&) { return handle == nullptr ? Error::invalid_value : name_event(runtime, event, *handle); });
}

Error cuIpcOpenEventHandle(Event** event, EventName handle) {
    return call([&](Runtime& runtime, Context&) { return event == nullptr ? Error::invalid_value : open_event(runtime, handle, *event); });
}

} // extern "C"
#pragma GCC visibility pop
