#include "runtime/cudart/call.hpp"

#include "runtime/core/message.hpp"

#include <string>

namespace apod::runtime::cudart {

Thread& this_thread() {
    thread_local Thread thread;
    return thread;
}

Stream* find_stream(Runtime& runtime, Stream* handle) {
    constexpr std::uintptr_t legacy = 1;
    constexpr std::uintptr_t per_thread = 2;
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    Thread& thread = this_thread();
    if (number <= legacy) return &runtime.device(thread.device).legacy;
    if (number != per_thread) return runtime.is_stream(handle) ? handle : nullptr;
    thread.per_thread_streams.resize(static_cast<std::size_t>(runtime.device_count()));
    Stream*& own = thread.per_thread_streams[static_cast<std::size_t>(thread.device)];
    if (own == nullptr) own = runtime.create_stream(thread.device, StreamKind::per_thread, 0, 0);
    return own;
}

Error missing(const char* name) {
    say(std::string("note: the program calls ") + name + ", which the emulated CUDA runtime does not have yet");
    return remember(Error::not_supported);
}

Error remember(Error error) {
    if (error != Error::success && error != Error::not_ready) this_thread().last = error;
    return error;
}

} // namespace apod::runtime::cudart
