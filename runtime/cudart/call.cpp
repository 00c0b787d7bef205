#include "runtime/cudart/call.hpp"

#include "runtime/core/message.hpp"

#include <string>

namespace apod::runtime::cudart {

Thread& this_thread() {
    thread_local Thread thread;
    return thread;
}

Error missing(const char* name) {
    say(std::string("note: the program calls ") + name + ", which the emulated CUDA runtime does not have yet");
    return this_thread().last = Error::not_supported; // what we lack is no failure of the program's
}

Stream* named_stream(Stream* handle) {
    constexpr std::uintptr_t per_thread = 2;
    Thread& thread = this_thread();
    const bool own = thread.own_default_stream;
    thread.own_default_stream = false;
    return own && handle == nullptr ? reinterpret_cast<Stream*>(per_thread) : handle;
}

Error remember(Error error) {
    this_thread().own_default_stream = false;
    if (error == Error::success || error == Error::not_ready) return error;
    this_thread().last = error;
    Runtime::instance().failed(error, error_name(error), error_text(error));
    return error;
}

} // namespace apod::runtime::cudart

// Called by the _ptsz and _ptds functions (generated, see runtime/CMakeLists.txt) before they go on as the function of the plain name.
extern "C" __attribute__((visibility("hidden"))) void apod_own_default_stream() {
    apod::runtime::cudart::this_thread().own_default_stream = true;
}
